//! Inserts mutants into source files, each selected by a number.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Stmt, parse_quote};

/// The number of altered places.
pub enum Count {
    /// This number, drawn from all files together.
    InAll(usize),
    /// This number in each file, or all of a file that has fewer.
    InEachFile(usize),
}

impl Count {
    pub fn parse(text: &str) -> Count {
        match text.strip_suffix("/file") {
            Some(count) => Count::InEachFile(count.parse().expect("COUNT/file")),
            None => Count::InAll(text.parse().expect("COUNT")),
        }
    }
}

/// Alters `count` places, drawn by `seed`, of the files below `directory`/src/`places`, except the numbers `without`.
/// Returns a line for each: number, file and line, and the change.
pub fn alter(directory: &Path, places: &[String], seed: u64, count: &Count, without: &[u32]) -> String {
    let source = |krate: &str| directory.join(krate).join("src");
    let mut files = Vec::new();
    let mut crates = Vec::new();
    for place in places {
        let (krate, below) = place.split_once('/').unwrap_or((place, ""));
        files_below(&source(krate).join(below), &mut files);
        crates.push(krate);
    }
    files.sort();
    files.dedup();
    crates.sort_unstable();
    crates.dedup();
    let mut counting = Mutator::default();
    let mut chosen = Vec::new();
    for file in &files {
        let before = counting.met;
        counting.visit_file_mut(&mut read(file));
        if let Count::InEachFile(count) = *count {
            let within = sample(counting.met - before, count, seed);
            chosen.extend(within.into_iter().map(|place| before + place));
        }
    }
    if let Count::InAll(count) = *count {
        chosen = sample(counting.met, count, seed);
    }
    let mut writing = Mutator { chosen, without: without.to_vec(), ..Mutator::default() };
    for file in &files {
        let mut parsed = read(file);
        let shown = if crates.len() == 1 { source(crates[0]) } else { directory.to_path_buf() };
        writing.file = file.strip_prefix(&shown).expect("below").display().to_string();
        writing.visit_file_mut(&mut parsed);
        std::fs::write(file, prettyplease::unparse(&parsed)).expect("the file can be written");
    }
    for krate in crates {
        let lib = source(krate).join("lib.rs");
        let text = std::fs::read_to_string(&lib).expect("a lib.rs") + SWITCH;
        std::fs::write(&lib, text).expect("lib.rs can be written");
    }
    assert_eq!(writing.met, counting.met, "the places do not depend on which are chosen");
    eprintln!("{} places, {} altered", counting.met, writing.chosen.len() - without.len());
    writing.list
}

/// The module that the altered files query.
const SWITCH: &str = r#"
#[doc(hidden)]
pub mod mutant {
    //! The number of this mutant, and the numbers that have been reached.
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    const UNKNOWN: u32 = u32::MAX;
    const RECORDING: u32 = u32::MAX - 1;
    static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);
    static MET: [AtomicBool; 10_000] = [const { AtomicBool::new(false) }; 10_000];
    /// Whether this mutant is selected.
    #[inline]
    pub fn is(number: u32) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        if chosen >= RECORDING { slowly(number) } else { chosen == number }
    }
    #[cold]
    fn slowly(number: u32) -> bool {
        let met = std::env::var_os("UNOLAB_MUTANTS_MET");
        if CHOSEN.load(Ordering::Relaxed) == UNKNOWN {
            let chosen = std::env::var("UNOLAB_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
            CHOSEN.store(if met.is_some() { RECORDING } else { chosen }, Ordering::Relaxed);
        }
        if let Some(met) = met {
            if !MET[number as usize].swap(true, Ordering::Relaxed) {
                // A process that may not write there runs none of the code in question.
                let file = std::fs::OpenOptions::new().append(true).create(true).open(met);
                let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
            }
            return false;
        }
        CHOSEN.load(Ordering::Relaxed) == number
    }
}
"#;

/// The source files below this place. `start.rs` is an exception: it is a template for users.
fn files_below(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        return files.push(place.into());
    }
    for entry in std::fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display())) {
        let path = entry.expect("readable").path();
        let is_code = path.extension().is_some_and(|ending| ending == "rs")
            && !path.ends_with("tests.rs")
            && !path.ends_with("main.rs")
            && !path.ends_with("bot/start.rs");
        if path.is_dir() || is_code {
            files_below(&path, files);
        }
    }
}

fn read(file: &Path) -> syn::File {
    let text = std::fs::read_to_string(file).expect("readable");
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A sample of the places below `all`, by seed, in order.
fn sample(all: usize, count: usize, mut seed: u64) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all).collect();
    for at in 0..count.min(all) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = at + usize::try_from(seed >> 33).expect("31 bits") % (all - at);
        places.swap(at, other);
    }
    places.truncate(count);
    places.sort_unstable();
    places
}

/// Visits the places that can be altered, always in the same order.
#[derive(Default)]
struct Mutator {
    file: String,
    met: usize,
    chosen: Vec<usize>,
    without: Vec<u32>,
    list: String,
}

impl Mutator {
    /// The number of the mutant, which is recorded, if this place is to be altered.
    fn number(&mut self, line: usize, what: &str) -> Option<u32> {
        let place = self.met;
        self.met += 1;
        let number = u32::try_from(self.chosen.binary_search(&place).ok()? + 1).expect("few");
        if self.without.contains(&number) {
            return None;
        }
        writeln!(self.list, "{number}\t{}:{line}\t{what}", self.file).expect("a string takes everything");
        Some(number)
    }

    /// The function does nothing and returns nothing, zero or `false`.
    fn return_at_once(&mut self, sig: &syn::Signature, block: &mut syn::Block) {
        let Some(value) = empty(&sig.output) else { return };
        let line = sig.ident.span().start().line;
        if let Some(number) = self.number(line, &format!("{} returns at once", sig.ident)) {
            block.stmts.insert(0, parse_quote!(if crate::mutant::is(#number) { return #value; }));
        }
    }
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

/// Sets of cards can be subtracted but not added. These methods return sets.
fn is_difference_of_sets(binary: &syn::ExprBinary) -> bool {
    let subtracts_set = |call: &syn::ExprMethodCall| call.method == "draw_fours" || call.method == "colored";
    matches!((&binary.op, &*binary.right), (BinOp::Sub(_), Expr::MethodCall(call)) if subtracts_set(call))
}

fn is_conditional(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg"))
}

fn is_assignment(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(op, AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | BitOrAssign(_) | BitAndAssign(_))
}

fn other(op: &BinOp) -> Option<(BinOp, &'static str)> {
    Some(match op {
        BinOp::Eq(_) => (parse_quote!(!=), "== becomes !="),
        BinOp::Ne(_) => (parse_quote!(==), "!= becomes =="),
        BinOp::Lt(_) => (parse_quote!(<=), "< becomes <="),
        BinOp::Le(_) => (parse_quote!(<), "<= becomes <"),
        BinOp::Gt(_) => (parse_quote!(>=), "> becomes >="),
        BinOp::Ge(_) => (parse_quote!(>), ">= becomes >"),
        BinOp::And(_) => (parse_quote!(||), "&& becomes ||"),
        BinOp::Or(_) => (parse_quote!(&&), "|| becomes &&"),
        BinOp::BitAnd(_) => (parse_quote!(|), "& becomes |"),
        BinOp::BitOr(_) => (parse_quote!(&), "| becomes &"),
        BinOp::Add(_) => (parse_quote!(-), "+ becomes -"),
        BinOp::Sub(_) => (parse_quote!(+), "- becomes +"),
        BinOp::Mul(_) => (parse_quote!(/), "* becomes /"),
        BinOp::Div(_) => (parse_quote!(*), "/ becomes *"),
        BinOp::AddAssign(_) => (parse_quote!(-=), "+= becomes -="),
        BinOp::SubAssign(_) => (parse_quote!(+=), "-= becomes +="),
        BinOp::MulAssign(_) => (parse_quote!(/=), "*= becomes /="),
        BinOp::DivAssign(_) => (parse_quote!(*=), "/= becomes *="),
        _ => return None,
    })
}

/// The method that replaces this one.
fn other_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "min" => "max",
        "max" => "min",
        "min_by" => "max_by",
        "max_by" => "min_by",
        "min_by_key" => "max_by_key",
        "max_by_key" => "min_by_key",
        "any" => "all",
        "all" => "any",
        _ => return None,
    })
}

/// A value that a function of this type can always return.
fn empty(output: &syn::ReturnType) -> Option<Expr> {
    let syn::ReturnType::Type(_, ty) = output else { return Some(parse_quote!(())) };
    let syn::Type::Path(path) = &**ty else { return None };
    Some(match path.path.segments.last()?.ident.to_string().as_str() {
        "bool" => parse_quote!(false),
        "f64" | "f32" => parse_quote!(0.0),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            parse_quote!(0)
        }
        "Option" => parse_quote!(None),
        "Vec" => parse_quote!(Vec::new()),
        "String" => parse_quote!(String::new()),
        _ => return None,
    })
}

impl VisitMut for Mutator {
    // Constants are evaluated at compile time, so they cannot depend on the mutant number; tests must not.
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_item_enum_mut(&mut self, _: &mut syn::ItemEnum) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if item.sig.constness.is_none() {
            visit_mut::visit_item_fn_mut(self, item);
            self.return_at_once(&item.sig, &mut item.block);
        }
    }
    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        let name = item.sig.ident.to_string();
        if item.sig.constness.is_none() && name != "fmt" {
            visit_mut::visit_impl_item_fn_mut(self, item);
            self.return_at_once(&item.sig, &mut item.block);
        }
    }
    // Test code.
    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if !is_conditional(&item.attrs) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if !is_conditional(&item.attrs) {
            visit_mut::visit_item_impl_mut(self, item);
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        // Classify a statement before its parts are altered, so that the places do not depend on the choice.
        let line = stmt.span().start().line;
        let does_something = match stmt {
            Stmt::Expr(Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_), Some(_)) => true,
            Stmt::Expr(Expr::Binary(binary), Some(_)) => is_assignment(&binary.op),
            _ => false,
        };
        visit_mut::visit_stmt_mut(self, stmt);
        if does_something && let Some(number) = self.number(line, "the statement is left out") {
            *stmt = parse_quote!(if !crate::mutant::is(#number) { #stmt });
        }
    }

    fn visit_expr_if_mut(&mut self, expr: &mut syn::ExprIf) {
        let line = expr.cond.span().start().line;
        // Other mutants invert comparisons and leave out `!`.
        let plain = !has_let(&expr.cond) && !matches!(*expr.cond, Expr::Binary(_) | Expr::Unary(_));
        visit_mut::visit_expr_if_mut(self, expr);
        if plain && let Some(number) = self.number(line, "the condition is inverted") {
            let cond = &expr.cond;
            *expr.cond = parse_quote!((#cond) != crate::mutant::is(#number));
        }
    }

    /// Only the guard of an arm: the rest of a pattern is constant.
    fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
        let syn::Pat::Guard(syn::PatGuard { guard, .. }) = pat else { return };
        let line = guard.span().start().line;
        self.visit_expr_mut(guard);
        if !has_let(guard)
            && let Some(number) = self.number(line, "the guard of the arm is inverted")
        {
            **guard = parse_quote!((#guard) != crate::mutant::is(#number));
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let line = expr.span().start().line;
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Binary(binary)
                if !has_let(&binary.left) && !has_let(&binary.right) && !is_difference_of_sets(binary) =>
            {
                let Some((op, what)) = other(&binary.op) else { return };
                if let Some(number) = self.number(binary.op.span().start().line, what) {
                    let (left, right) = (&binary.left, &binary.right);
                    let right_op = &binary.op;
                    // In parentheses, because `x as usize <= 3` parses and `x as usize < 3` does not.
                    *expr = parse_quote!((if crate::mutant::is(#number) { (#left) #op #right } else { (#left) #right_op #right }));
                }
            }
            Expr::Unary(unary) => {
                let (op, inner) = (&unary.op, &unary.expr);
                let what = match op {
                    syn::UnOp::Not(_) => "! is left out",
                    syn::UnOp::Neg(_) => "the sign is left out",
                    _ => return,
                };
                if let Some(number) = self.number(line, what) {
                    *expr = parse_quote!((if crate::mutant::is(#number) { #inner } else { #op #inner }));
                }
            }
            Expr::MethodCall(call) if call.args.len() == 1 => {
                let Some(method) = other_method(&call.method.to_string()) else { return };
                if let Some(number) =
                    self.number(call.method.span().start().line, &format!("{} becomes {method}", call.method))
                {
                    let mut mutant = call.clone();
                    mutant.method = syn::Ident::new(method, call.method.span());
                    *expr = parse_quote!((if crate::mutant::is(#number) { #mutant } else { #call }));
                }
            }
            Expr::Lit(syn::ExprLit { lit, .. }) => {
                let (what, mutant) = match lit {
                    syn::Lit::Int(number) => {
                        let Ok(value) = number.base10_parse::<u64>() else { return };
                        let more = format!("{}{}", value + 1, number.suffix());
                        ("a number is one more", syn::Lit::Int(syn::LitInt::new(&more, number.span())))
                    }
                    syn::Lit::Float(number) => {
                        let value: f64 = number.base10_parse().expect("a number");
                        let more = format!("{:?}{}", value + 1.0, number.suffix());
                        ("a number is one more", syn::Lit::Float(syn::LitFloat::new(&more, number.span())))
                    }
                    syn::Lit::Bool(value) => {
                        ("a truth is inverted", syn::Lit::Bool(syn::LitBool::new(!value.value, value.span)))
                    }
                    _ => return,
                };
                if let Some(number) = self.number(line, what) {
                    *expr = parse_quote!((if crate::mutant::is(#number) { #mutant } else { #lit }));
                }
            }
            _ => {}
        }
    }
}
