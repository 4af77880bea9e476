//! The spec of an agent.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use unolab_agents::registry::Registry;
use unolab_fuzz::text;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::default);

fuzz_target!(|bytes: &[u8]| {
    let Some(text) = text(bytes) else { return };
    match REGISTRY.configure(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(agent) => {
            let again = REGISTRY.configure(agent.text()).expect("a spec reads back");
            assert_eq!(again.text(), agent.text());
        }
    }
});
