//! The answers of a program: to the greeting and to decisions. Any bytes may come. Invalid answers are sorted by kind, with a
//! reason that a table can show.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::super::diagnostics::{excerpt, truncated};
use crate::fault::FaultCause;

/// The number of characters kept of a note.
pub const MAX_NOTE_CHARS: usize = 1_000;

/// The advice if the time is over and the last line has no end. Without the number of bytes: they hold the number of the
/// decision, which differs from run to run.
pub(crate) const NO_LINE_END: &str = "its answer has no line end; end each answer with a newline and flush";
/// U+FEFF in UTF-8. Some systems write it before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The error in an answer.
pub(crate) type AnswerError = (FaultCause, String);

/// The answer to [`Message::Hello`](super::message::Message::Hello). No other keys are allowed: a program that repeats
/// its input does not speak the protocol.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Greeting {
    pub(crate) protocol: u64,
    #[serde(default)]
    pub(crate) events: bool,
    /// The number of games that it wants to play at once. Then it is asked in batches.
    pub(crate) games: Option<usize>,
}

/// The answer to [`Message::Decide`](super::message::Message::Decide), as it is written. Other keys are ignored, with any value. A wrong
/// value is a fault of this answer, and not of a whole batch.
#[derive(Debug, Deserialize)]
struct AnswerDocument {
    decision: Option<Value>,
    action: Option<Value>,
    /// The program's note on it, for the record of the game.
    note: Option<Value>,
}

/// The answer to a batch of questions, as it is written.
#[derive(Deserialize)]
struct BatchDocument {
    answers: Vec<Object<AnswerDocument>>,
}

/// A value that must be written as an object; derived deserializers would also accept a list.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(keys))
            }
        }
        from.deserialize_map(Keys(PhantomData)).map(Self)
    }
}

/// A question that a program has been asked: its number, and the number of actions to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecisionRequest {
    pub(crate) decision: u64,
    pub(crate) actions: usize,
}

/// A valid answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The number of the action chosen, among those offered.
    pub(crate) action: usize,
    /// The program's note; control characters become spaces, and [`MAX_NOTE_CHARS`] characters are kept.
    pub(crate) note: Option<String>,
}

impl Greeting {
    /// # Errors
    /// It is none.
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        from_object(line)
    }
}

impl Answer {
    /// The answer to this decision.
    ///
    /// # Errors
    /// The line is not an answer, answers another decision, or chooses an action that was not offered.
    pub(crate) fn read(line: &[u8], asked: DecisionRequest) -> Result<Self, AnswerError> {
        let malformed = |reason: String| malformed(line, "{\"decision\": n, \"action\": k}", &reason);
        let written: AnswerDocument = from_object(line).map_err(malformed)?;
        let decision = written.decision().map_err(|reason| malformed(reason.into()))?;
        if decision != asked.decision {
            let which = if decision < asked.decision { "an earlier decision" } else { "a decision that was not asked" };
            return Err((FaultCause::Stale, format!("answered {which} instead of the one asked")));
        }
        Self::judge(written, asked.actions)
    }

    /// The answers to a batch of questions, in their order. A missing or wrong answer is a fault in its game only.
    ///
    /// # Errors
    /// If it is not a list of answers, or one answers a decision that is not in the batch or has an answer already.
    pub(crate) fn read_batch(
        line: &[u8],
        batch: &[DecisionRequest],
    ) -> Result<Vec<Result<Self, AnswerError>>, AnswerError> {
        let form = "{\"answers\": [{\"decision\": n, \"action\": k}, ...]}";
        let malformed = |reason: String| malformed(line, form, &reason);
        let BatchDocument { answers } = from_object(line).map_err(malformed)?;
        let mut written = HashMap::with_capacity(batch.len());
        for Object(answer) in answers {
            let decision = answer.decision().map_err(|reason| malformed(reason.into()))?;
            if !batch.iter().any(|asked| asked.decision == decision) {
                return Err((FaultCause::Stale, "answered a decision that is not of the batch".into()));
            }
            if written.insert(decision, answer).is_some() {
                return Err((FaultCause::Stale, "answered a decision of the batch twice".into()));
            }
        }
        let judge = |asked: &DecisionRequest| match written.remove(&asked.decision) {
            Some(answer) => Self::judge(answer, asked.actions),
            None => Err((FaultCause::Malformed, "gave no answer to its question of the batch".into())),
        };
        Ok(batch.iter().map(judge).collect())
    }

    fn judge(written: AnswerDocument, actions: usize) -> Result<Self, AnswerError> {
        let malformed = |what: &str| Err((FaultCause::Malformed, what.to_owned()));
        let number = match written.action {
            None => return malformed("its answer has no `action`"),
            Some(Value::Number(number)) => number,
            Some(_) => return malformed("the `action` of its answer is not a number"),
        };
        let index = number.as_u64().and_then(|action| usize::try_from(action).ok());
        let action = index.filter(|&action| action < actions).ok_or_else(|| {
            let allowed = if actions == 1 { "0".into() } else { format!("0 to {}", actions - 1) };
            (FaultCause::Illegal, format!("chose action {number}; allowed: {allowed}"))
        })?;
        let note = match written.note {
            None => None,
            Some(Value::String(note)) => Some(truncated(&note, MAX_NOTE_CHARS).replace(char::is_control, " ")),
            Some(_) => return malformed("the `note` of its answer is not a text"),
        };
        Ok(Self { action, note })
    }
}

impl AnswerDocument {
    /// The number of the decision. Its value is in no message: it differs from run to run.
    fn decision(&self) -> Result<u64, &'static str> {
        let decision = self.decision.as_ref().ok_or("it has no `decision`")?;
        decision.as_u64().ok_or("its `decision` is not a whole number from 0")
    }
}

/// The fault of a line that does not have this form.
fn malformed(line: &[u8], form: &str, reason: &str) -> AnswerError {
    (FaultCause::Malformed, format!("`{}` is not {form}: {reason}", quoted(line)))
}

/// The beginning of a line for a table, with `n` in place of the numbers of decisions and games, which differ from run to run.
fn quoted(line: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(line).into_owned();
    for key in ["\"decision\"", "\"game\""] {
        let mut parts = text.split(key);
        let mut without = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let value = part.trim_start_matches([' ', '\t', ':', '"', '-']);
            let rest = value.trim_start_matches(|letter: char| letter.is_ascii_digit());
            without.push_str(key);
            without.push_str(&part[..part.len() - value.len()]);
            without.push_str(if rest.len() < value.len() { "n" } else { "" });
            without.push_str(rest);
        }
        text = without;
    }
    excerpt(&text)
}

/// A JSON object. A line that does not begin like one is usually debug output, which belongs on standard error.
fn from_object<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    if line.starts_with(BYTE_ORDER_MARK) {
        return Err("not an object, because it begins with a byte order mark <U+FEFF>; write UTF-8 without one".into());
    }
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err("not an object; print debug text to standard error, because standard output is for answers".into());
    }
    serde_json::from_slice(line).map(|Object(read)| read).map_err(|error| {
        // Without the place, which depends on the number of the decision.
        let reason = error.to_string();
        let reason = reason.split_once(" at line ").map_or(&*reason, |(reason, _)| reason);
        excerpt(
            &reason
                .replace("a sequence", "a list")
                .replace("u64", "a whole number from 0")
                .replace("usize", "a whole number from 0"),
        )
    })
}

/// Reads the line of a program as a greeting and as an answer to this decision, for the fuzz target of any bytes.
///
/// # Panics
/// If the answer is not one of the actions, or a message is empty or not printable.
#[cfg(feature = "fuzzing")]
pub fn read_line_of_program(line: &[u8], decision: u64, actions: usize) {
    if let Err(reason) = Greeting::read(line) {
        assert!(!reason.is_empty());
    }
    let asked = DecisionRequest { decision, actions };
    let batch = [asked, DecisionRequest { decision: decision.wrapping_add(1), actions }];
    if let Ok(answers) = Answer::read_batch(line, &batch) {
        assert!(answers.len() == 2 && answers.iter().flatten().all(|answer| answer.action < actions));
    }
    match Answer::read(line, asked) {
        Ok(answer) => {
            assert!(answer.action < actions);
            assert!(answer.note.is_none_or(|note| note.chars().count() <= MAX_NOTE_CHARS + 1 && !note.contains('\n')));
        }
        Err((_, reason)) => assert!(!reason.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::limits::MAX_LINE_BYTES;
    use super::*;
    use crate::printable::is_invisible;

    /// Any line results in an answer that is offered or in a fault that a table can show.
    fn assert_is_judged(line: &[u8], decision: u64, actions: usize) -> Result<(), TestCaseError> {
        match Answer::read(line, DecisionRequest { decision, actions }) {
            Ok(answer) => {
                prop_assert!(answer.action < actions);
                let note = answer.note.unwrap_or_default();
                prop_assert!(note.chars().count() <= MAX_NOTE_CHARS + 1 && !note.contains(char::is_control));
            }
            Err((kind, what)) => {
                prop_assert!(matches!(kind, FaultCause::Malformed | FaultCause::Stale | FaultCause::Illegal));
                prop_assert!(is_fit_for_table(&what), "{}", what);
            }
        }
        Ok(())
    }

    fn is_fit_for_table(what: &str) -> bool {
        !what.is_empty() && what.len() < 3_000 && !what.contains(is_invisible)
    }

    /// Questions with these numbers of actions; the decisions count from 7.
    fn batch(actions: &[usize]) -> Vec<DecisionRequest> {
        (7..).zip(actions).map(|(decision, &actions)| DecisionRequest { decision, actions }).collect()
    }

    /// Any line results in an answer or a fault for each question, or in a fault for all.
    fn assert_batch_is_judged(line: &[u8], batch: &[DecisionRequest]) -> Result<(), TestCaseError> {
        match Answer::read_batch(line, batch) {
            Ok(answers) => {
                prop_assert_eq!(answers.len(), batch.len());
                for (answer, asked) in answers.into_iter().zip(batch) {
                    match answer {
                        Ok(answer) => prop_assert!(answer.action < asked.actions),
                        Err((kind, what)) => {
                            prop_assert!(matches!(kind, FaultCause::Malformed | FaultCause::Illegal));
                            prop_assert!(is_fit_for_table(&what), "{}", what);
                        }
                    }
                }
            }
            Err((kind, what)) => {
                prop_assert!(matches!(kind, FaultCause::Malformed | FaultCause::Stale));
                prop_assert!(is_fit_for_table(&what), "{}", what);
            }
        }
        Ok(())
    }

    /// A line similar to an answer, with various values.
    fn like_an_answer() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("0".to_owned()),
            Just("-1".to_owned()),
            Just("1e3".to_owned()),
            Just("18446744073709551616".to_owned()),
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("[0]".to_owned()),
            Just("{}".to_owned()),
            Just("\"0\"".to_owned()),
            Just("\"\\u0000\\ud800\"".to_owned()),
            any::<u64>().prop_map(|number| number.to_string()),
            any::<f64>().prop_map(|number| number.to_string()),
            ".{0,40}".prop_map(|text| serde_json::to_string(&text).expect("a text can be written")),
        ];
        let key = prop_oneof![Just("decision"), Just("action"), Just("note"), Just("Action"), Just("")];
        vec((key, value), 0..5).prop_map(|pairs| {
            let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", pairs.join(","))
        })
    }

    proptest! {
        #[test]
        fn arbitrary_answer_is_validated(line in vec(any::<u8>(), 0..400), decision: u64, actions in 0_usize..40) {
            assert_is_judged(&line, decision, actions)?;
            prop_assert!(Greeting::read(&line).is_err());
        }

        #[test]
        fn mutated_answer_is_validated(line in like_an_answer(), decision in 0_u64..3, actions in 0_usize..4) {
            assert_is_judged(line.as_bytes(), decision, actions)?;
        }

        #[test]
        fn answer_with_changed_byte_is_validated(place in 0_usize..32, byte: u8) {
            let mut line = br#"{"decision":7,"action":1,"note":"x"}"#.to_vec();
            line[place] = byte;
            assert_is_judged(&line, 7, 2)?;
        }

        #[test]
        fn arbitrary_batch_answer_is_validated(line in vec(any::<u8>(), 0..400), actions in vec(0_usize..40, 1..5)) {
            assert_batch_is_judged(&line, &batch(&actions))?;
        }

        #[test]
        fn mutated_batch_answers_are_validated(
            answers in vec(like_an_answer(), 0..5),
            actions in vec(0_usize..4, 1..4),
            rest in prop_oneof![Just(""), Just(",\"answers\":[]"), Just(",\"more\":1"), Just("}")],
        ) {
            let line = format!("{{\"answers\":[{}]{rest}}}", answers.join(","));
            assert_batch_is_judged(line.as_bytes(), &batch(&actions))?;
        }

        #[test]
        fn batch_answer_with_changed_byte_is_validated(place in 0_usize..66, byte: u8) {
            let mut line = br#"{"answers":[{"decision":8,"action":1},{"decision":7,"action":10}]}"#.to_vec();
            line[place] = byte;
            assert_batch_is_judged(&line, &batch(&[11, 2]))?;
        }

        #[test]
        fn answers_are_read_in_question_order(
            actions in Just((0..20_u64).collect::<Vec<_>>()).prop_shuffle(),
            order in Just((0..20_usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let answers: Vec<_> =
                order.iter().map(|&place| serde_json::json!({"decision": 7 + place, "action": actions[place]})).collect();
            let line = serde_json::json!({"answers": answers}).to_string();
            let read = Answer::read_batch(line.as_bytes(), &batch(&[20; 20])).expect("a list of answers");
            let read: Vec<u64> = read.into_iter().map(|answer| answer.expect("an answer").action as u64).collect();
            prop_assert_eq!(read, actions);
        }

        #[test]
        fn answer_round_trips(decision: u64, action in 0_usize..40, note in proptest::option::of(".{0,60}")) {
            let line = serde_json::json!({"note": note, "action": action, "decision": decision}).to_string();
            let answer = Answer::read(line.as_bytes(), DecisionRequest { decision, actions: 40 }).expect("it is one");
            prop_assert_eq!(answer.action, action);
            let written = note.map(|note| note.replace(char::is_control, " "));
            prop_assert_eq!(answer.note, written);
        }
    }

    #[test]
    fn invalid_answer_is_explained() {
        for (line, kind, what) in [
            ("play r7", FaultCause::Malformed, "`play r7` is not {\"decision\": n, \"action\": k}: not an object"),
            ("[1, 0]", FaultCause::Malformed, "not an object"),
            (
                "hand: r7",
                FaultCause::Malformed,
                "print debug text to standard error, because standard output is for answers",
            ),
            (
                "\u{feff}{\"decision\":1,\"action\":0}",
                FaultCause::Malformed,
                "`<U+FEFF>{\"decision\":n,\"action\":0}` is not",
            ),
            ("\u{feff}{}", FaultCause::Malformed, "it begins with a byte order mark <U+FEFF>"),
            (
                "\u{1b}[1mno\u{202e}\u{2066}on\u{200e}",
                FaultCause::Malformed,
                "`<U+001B>[1mno<U+202E><U+2066>on<U+200E>` is not",
            ),
            ("{\"decision\":1}", FaultCause::Malformed, "its answer has no `action`"),
            ("{\"decision\":1,\"action\":0", FaultCause::Malformed, "EOF while parsing an object"),
            ("{\"decision\":1,\"action\":-1}", FaultCause::Illegal, "chose action -1; allowed: 0 to 2"),
            ("{\"decision\":1,\"action\":0.5}", FaultCause::Illegal, "chose action 0.5; allowed: 0 to 2"),
            ("{\"decision\":1,\"action\":\"0\"}", FaultCause::Malformed, "the `action` of its answer is not a number"),
            ("{\"decision\": 23, \"action\":", FaultCause::Malformed, "`{\"decision\": n, \"action\":` is not"),
            ("{\"decision\":-1,\"action\":0}", FaultCause::Malformed, "its `decision` is not a whole number from 0"),
            ("{\"action\":0}", FaultCause::Malformed, "it has no `decision`"),
            ("{\"decision\":1,\"action\":0,\"action\":1}", FaultCause::Malformed, "duplicate field `action`"),
            (
                "{\"decision\":1,\"action\":0,\"note\":3}",
                FaultCause::Malformed,
                "the `note` of its answer is not a text",
            ),
            ("{\"decision\":1,\"action\":0} {}", FaultCause::Malformed, "trailing characters"),
            (
                "{\"decision\":0,\"action\":0}",
                FaultCause::Stale,
                "answered an earlier decision instead of the one asked",
            ),
            (
                "{\"decision\":2,\"action\":0}",
                FaultCause::Stale,
                "a decision that was not asked instead of the one asked",
            ),
            ("{\"decision\":1,\"action\":3}", FaultCause::Illegal, "chose action 3; allowed: 0 to 2"),
        ] {
            let (found, words) =
                Answer::read(line.as_bytes(), DecisionRequest { decision: 1, actions: 3 }).expect_err(line);
            assert!(found == kind && words.contains(what), "{line}: {found:?} {words}");
        }
    }

    #[test]
    fn wrong_batch_answer_faults_its_game_and_wrong_list_all_games() {
        let good = "{\"decision\":7,\"action\":0}";
        let of_one_game = [
            ("{\"decision\":8,\"action\":2}", FaultCause::Illegal, "chose action 2; allowed: 0 to 1"),
            ("{\"decision\":8,\"action\":-1}", FaultCause::Illegal, "chose action -1; allowed: 0 to 1"),
            ("{\"decision\":8}", FaultCause::Malformed, "its answer has no `action`"),
            ("{\"decision\":9,\"action\":0}", FaultCause::Malformed, "gave no answer to its question of the batch"),
        ];
        for (wrong, kind, what) in of_one_game {
            let line = format!("{{\"answers\":[{wrong},{good}]}}");
            let answers = Answer::read_batch(line.as_bytes(), &batch(&[3, 2, 1])).expect("a list of answers");
            assert_eq!(answers[0], Ok(Answer { action: 0, note: None }), "{line}");
            assert_eq!(answers[1], Err((kind, what.into())), "{line}");
        }
        let none = Answer::read_batch(b"{\"answers\":[]}", &batch(&[3, 2])).expect("a list of answers");
        assert!(none.iter().all(|answer| matches!(answer, Err((FaultCause::Malformed, _)))), "{none:?}");
        let of_all = [
            (good.to_owned(), FaultCause::Malformed, "missing field `answers`"),
            (
                format!("[{good}]"),
                FaultCause::Malformed,
                "is not {\"answers\": [{\"decision\": n, \"action\": k}, ...]}",
            ),
            (format!("{{\"answers\":{good}}}"), FaultCause::Malformed, "expected a list"),
            (format!("{{\"answers\":[{good},[8,0]]}}"), FaultCause::Malformed, "expected an object"),
            (format!("{{\"answers\":[{good},null]}}"), FaultCause::Malformed, "expected an object"),
            (format!("{{\"answers\":[{good},{{\"action\":8}}]}}"), FaultCause::Malformed, "it has no `decision`"),
            (format!("{{\"answers\":[{good}]"), FaultCause::Malformed, "EOF while parsing an object"),
            (format!("{{\"answers\":[{good}]}} {{}}"), FaultCause::Malformed, "trailing characters"),
            (format!("{{\"answers\":[{good},{good}]}}"), FaultCause::Stale, "answered a decision of the batch twice"),
            (
                format!("{{\"answers\":[{good},{{\"decision\":6,\"action\":0}}]}}"),
                FaultCause::Stale,
                "answered a decision that is not of the batch",
            ),
        ];
        for (line, kind, what) in of_all {
            let (found, words) = Answer::read_batch(line.as_bytes(), &batch(&[3, 2])).expect_err(&line);
            assert!(found == kind && words.contains(what), "{line}: {found:?} {words}");
        }
    }

    #[test]
    fn other_keys_of_an_answer_are_ignored() {
        let asked = DecisionRequest { decision: 7, actions: 2 };
        let answer = br#"{"why":{"value":[0.5,null]},"decision":7,"note":null,"action":1,"ms":3,"odds":1e999}"#;
        assert_eq!(Answer::read(answer, asked), Ok(Answer { action: 1, note: None }));
        let batch = [br#"{"ms":-1e999,"answers":["#, &answer[..], br#"]}"#].concat();
        assert_eq!(Answer::read_batch(&batch, &[asked]), Ok(vec![Ok(Answer { action: 1, note: None })]));
    }

    #[test]
    fn deep_or_long_answer_is_rejected() {
        let deep = "[".repeat(60_000);
        for line in [deep.clone(), format!("{{\"decision\":{deep}"), "{\"a\":".repeat(MAX_LINE_BYTES / 5)] {
            assert_eq!(
                Answer::read(line.as_bytes(), DecisionRequest { decision: 1, actions: 3 }).expect_err("nonsense").0,
                FaultCause::Malformed
            );
        }
        let note = "ü\u{7}".repeat(20_000);
        let line = serde_json::json!({"decision": 1, "action": 0, "note": note}).to_string();
        let note = Answer::read(line.as_bytes(), DecisionRequest { decision: 1, actions: 1 })
            .expect("an answer")
            .note
            .expect("a note");
        assert_eq!(note, "ü ".repeat(MAX_NOTE_CHARS / 2) + "…");
    }
}
