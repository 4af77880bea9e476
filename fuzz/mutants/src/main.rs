//! Writes wrong versions of source files into them, each behind a number: one build holds them all, and `UNOLAB_MUTANT=17`
//! makes the program wrong in the 17th way. What no test notices is a hole in the tests.
//!
//! ```text
//! unolab-mutants CRATE SEED COUNT FOLDER|FILE...
//! ```
//!
//! alters `COUNT` places, drawn by seed, of the files below `CRATE/src`, and prints one line for each: number, file and line,
//! what is done. It writes over the files: run it on a copy; `fuzz/mutants/run.sh` does.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Stmt, parse_quote};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [krate, seed, count, places @ ..] = args.as_slice() else {
        panic!("usage: unolab-mutants CRATE SEED COUNT FOLDER|FILE...");
    };
    let source = Path::new(krate).join("src");
    let mut files = Vec::new();
    for place in places {
        files_below(&source.join(place), &mut files);
    }
    files.sort();
    let mut counting = Mutator::default();
    for file in &files {
        counting.file = file.display().to_string();
        counting.visit_file_mut(&mut read(file));
    }
    let chosen = sample(counting.met, count.parse().expect("COUNT"), seed.parse().expect("SEED"));
    let mut writing = Mutator { chosen, ..Mutator::default() };
    for file in &files {
        let mut parsed = read(file);
        writing.file = file.strip_prefix(&source).expect("below").display().to_string();
        writing.visit_file_mut(&mut parsed);
        std::fs::write(file, prettyplease::unparse(&parsed)).expect("the file can be written");
    }
    let lib = source.join("lib.rs");
    let text = std::fs::read_to_string(&lib).expect("a lib.rs") + SWITCH;
    std::fs::write(&lib, text).expect("lib.rs can be written");
    print!("{}", writing.list);
    eprintln!("{} places, {} altered", counting.met, writing.chosen.len());
}

/// What the altered files ask.
const SWITCH: &str = r#"
#[doc(hidden)]
pub mod mutant {
    //! Which mutant this is.
    use std::sync::atomic::{AtomicU32, Ordering};
    static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);
    /// Is it this one?
    #[inline]
    pub fn is(number: u32) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        if chosen == u32::MAX { first() == number } else { chosen == number }
    }
    #[cold]
    fn first() -> u32 {
        let chosen = std::env::var("UNOLAB_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        CHOSEN.store(chosen, Ordering::Relaxed);
        chosen
    }
}
"#;

fn files_below(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_file() {
        return files.push(place.into());
    }
    for entry in std::fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display())) {
        let path = entry.expect("readable").path();
        if path.is_dir() || path.extension().is_some_and(|ending| ending == "rs") {
            files_below(&path, files);
        }
    }
}

fn read(file: &Path) -> syn::File {
    let text = std::fs::read_to_string(file).expect("readable");
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Some of the places below `all`, by seed, in order.
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

/// Goes through the places that can be altered, always in the same order.
#[derive(Default)]
struct Mutator {
    file: String,
    met: usize,
    chosen: Vec<usize>,
    list: String,
}

impl Mutator {
    /// The number of the mutant, if this place is to be altered; it is noted then.
    fn number(&mut self, line: usize, what: &str) -> Option<u32> {
        let place = self.met;
        self.met += 1;
        let number = u32::try_from(self.chosen.binary_search(&place).ok()? + 1).expect("few");
        writeln!(self.list, "{number}\t{}:{line}\t{what}", self.file).expect("a string takes everything");
        Some(number)
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
        _ => return None,
    })
}

impl VisitMut for Mutator {
    // What is fixed at compile time cannot ask which mutant it is, and neither can a test.
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
        }
    }
    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        let name = item.sig.ident.to_string();
        if item.sig.constness.is_none() && name != "fmt" {
            visit_mut::visit_impl_item_fn_mut(self, item);
        }
    }
    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if !item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        let line = stmt.span().start().line; // before what is within is altered
        visit_mut::visit_stmt_mut(self, stmt);
        let Stmt::Expr(expr, Some(_)) = stmt else { return };
        let does_something = match expr {
            Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) => true,
            Expr::Binary(binary) => matches!(
                binary.op,
                BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::BitOrAssign(_) | BinOp::BitAndAssign(_)
            ),
            _ => false,
        };
        if does_something && let Some(number) = self.number(line, "the statement is left out") {
            *stmt = parse_quote!(if !crate::mutant::is(#number) { #expr; });
        }
    }

    fn visit_expr_if_mut(&mut self, expr: &mut syn::ExprIf) {
        let line = expr.cond.span().start().line;
        visit_mut::visit_expr_if_mut(self, expr);
        let plain = !has_let(&expr.cond) && !matches!(*expr.cond, Expr::Binary(_));
        if plain && let Some(number) = self.number(line, "the condition is inverted") {
            let cond = &expr.cond;
            *expr.cond = parse_quote!((#cond) != crate::mutant::is(#number));
        }
    }

    /// Of a pattern, the guard of an arm alone: what else is in it is fixed.
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
            Expr::Binary(binary) if !has_let(&binary.left) && !has_let(&binary.right) => {
                let Some((op, what)) = other(&binary.op) else { return };
                if let Some(number) = self.number(binary.op.span().start().line, what) {
                    let (left, right) = (&binary.left, &binary.right);
                    let right_op = &binary.op;
                    *expr = parse_quote!((if crate::mutant::is(#number) { #left #op #right } else { #left #right_op #right }));
                }
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Not(_)) => {
                if let Some(number) = self.number(line, "! is left out") {
                    let inner = &unary.expr;
                    *expr = parse_quote!((if crate::mutant::is(#number) { #inner } else { !#inner }));
                }
            }
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) if number.suffix().is_empty() => {
                let Ok(value) = number.base10_parse::<u64>() else { return };
                if let Some(mutant) = self.number(line, "a number is one more") {
                    let more = syn::LitInt::new(&(value + 1).to_string(), number.span());
                    *expr = parse_quote!((if crate::mutant::is(#mutant) { #more } else { #number }));
                }
            }
            _ => {}
        }
    }
}
