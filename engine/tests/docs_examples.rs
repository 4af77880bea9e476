//! Every example of a variant file in `docs/` loads without a warning.

use std::fs;
use std::path::PathBuf;

use unolab_engine::rules::{Loaded, PresetsOnly, TableSize, VariantFiles, VariantText, load};

/// The blocks of a page that begin with this fence.
fn blocks<'a>(page: &'a str, fence: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(fence).skip(1).map(|rest| rest.split("```").next().expect("a block ends"))
}

/// One variant file, under any name; presets come from the engine.
struct One<'a>(&'a str);

impl VariantFiles for One<'_> {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        match from {
            "" => Ok(VariantText { name: base.into(), text: self.0.into() }),
            _ => PresetsOnly.read(base, from),
        }
    }
}

#[test]
fn documented_variants_load() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut loaded = 0;
    for entry in fs::read_dir(docs).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        for block in blocks(&page, "```toml,variant\n") {
            let Loaded { rules, warnings } = load("example.toml", &[], TableSize::Any, &One(block))
                .unwrap_or_else(|error| panic!("{}: {error}\n{block}", path.display()));
            assert!(warnings.is_empty(), "{}: {warnings:?}\n{block}", path.display());
            assert!(rules.deck().len() > 30);
            loaded += 1;
        }
    }
    assert!(loaded >= 5, "{loaded} examples were found");
}
