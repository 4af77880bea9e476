//! Every example of a variant file in `docs/` loads without a warning.

use std::fs;
use std::path::PathBuf;

use unolab_engine::rules::{LoadedRules, PresetsOnly, TableSize, VariantFiles, VariantText, load};

/// The blocks of a page that begin with this fence.
fn blocks<'a>(page: &'a str, fence: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(fence).skip(1).map(|rest| rest.split("```").next().expect("a block ends"))
}

/// One variant file, returned for any name; presets come from the engine.
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
            let LoadedRules { rules, warnings } = load("example.toml", &[], TableSize::Any, &One(block))
                .unwrap_or_else(|error| panic!("{}: {error}\n{block}", path.display()));
            assert!(warnings.is_empty(), "{}: {warnings:?}\n{block}", path.display());
            assert!(rules.deck().len() > 30);
            loaded += 1;
        }
    }
    assert!(loaded >= 5, "{loaded} examples were found");
}

#[test]
fn every_example_variant_loads_at_every_size() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/variants");
    let mut loaded = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let load = |size| {
            load("example.toml", &[], size, &One(&text)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let LoadedRules { rules, warnings } = load(TableSize::Any);
        assert!(warnings.is_empty(), "{}: {warnings:?}", path.display());
        rules.seats().for_each(|seats| assert_eq!(load(TableSize::Seats(seats)).rules.deck(), rules.deck()));
        let cards = match path.file_stem().unwrap().to_str().unwrap() {
            "all-wild" | "attack" | "dare" => 112,
            "no-mercy" => 168,
            _ => 109, // a Blank card and 108 others
        };
        assert_eq!(rules.deck().len(), cards, "{}", path.display());
        loaded += 1;
    }
    assert_eq!(loaded, 11, "files in examples/variants");
}
