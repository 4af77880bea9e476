//! Headless Chromium, controlled through its debugging protocol.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    _profile: TempDir,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    number: u64,
    /// Console messages and errors.
    pub(crate) complaints: Vec<String>,
}

/// A node of the page as a screen reader finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccessibleNode {
    pub(crate) role: String,
    pub(crate) name: String,
    /// `polite` or `assertive` if changes are read out.
    pub(crate) live: String,
    pub(crate) is_disabled: bool,
}

impl Browser {
    /// The browser, if it is installed. CI must have it.
    pub(crate) fn start() -> Option<Self> {
        let profile = TempDir::new().expect("a directory for the profile");
        let name = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
        let Some(name) = name else {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "chromium is not installed, and CI must not do without"
            );
            eprintln!("passed over: chromium is not installed");
            return None;
        };
        let process = Command::new(name)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--force-prefers-reduced-motion", "--remote-debugging-port=0", "--window-size=1280,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let port_file = profile.path().join("DevToolsActivePort");
        let begin = Instant::now();
        let address = loop {
            if let Ok(text) = fs::read_to_string(&port_file)
                && let Some((port, path)) = text.trim().split_once('\n')
            {
                break format!("ws://127.0.0.1:{port}{path}");
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "chromium opens no port");
            sleep(Duration::from_millis(100));
        };
        let (socket, _) = connect(address).expect("chromium listens");
        let mut browser =
            Self { process, _profile: profile, socket, session: String::new(), number: 0, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        Some(browser)
    }

    /// Sends a command of the browser's protocol and returns its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).expect("chromium listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("chromium answers") else { continue };
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            match answer["method"].as_str() {
                Some("Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled") => {
                    self.complaints.push(answer["params"].to_string());
                }
                _ if answer["id"] == self.number => {
                    assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                    return answer["result"].clone();
                }
                _ => {}
            }
        }
    }

    /// Opens a page.
    pub(crate) fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.run(
            "new Promise((go) => (document.readyState === 'complete' ? go() : addEventListener('load', () => go())))",
        );
    }

    /// Opens another visible page, with the focus, and returns it. Commands go to this page.
    pub(crate) fn open_another(&mut self, address: &str) -> String {
        let target = self.call("Target.createTarget", json!({ "url": address, "newWindow": true }))["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        self.session.clone()
    }

    /// Sends the commands that follow to this page.
    pub(crate) fn select(&mut self, page: &str) {
        page.clone_into(&mut self.session);
    }

    /// The nodes of the page as a screen reader finds them, in order.
    pub(crate) fn tree(&mut self) -> Vec<AccessibleNode> {
        let nodes = self.call("Accessibility.getFullAXTree", json!({}))["nodes"].clone();
        let nodes = nodes.as_array().expect("a list");
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
        let heard = |node: &Value| {
            let property = |name: &str| {
                let all = node["properties"].as_array()?;
                Some(all.iter().find(|one| one["name"] == name)?["value"]["value"].clone())
            };
            AccessibleNode {
                role: text(&node["role"]),
                name: text(&node["name"]),
                live: property("live").and_then(|live| live.as_str().map(str::to_owned)).unwrap_or_default(),
                is_disabled: property("disabled") == Some(true.into()),
            }
        };
        // The nodes arrive level by level; in page order each node is followed by its children.
        let mut found = Vec::new();
        let mut left: Vec<&Value> = nodes.first().into_iter().collect();
        while let Some(node) = left.pop() {
            if node["ignored"] != true {
                found.push(heard(node));
            }
            let children = node["childIds"].as_array().map_or(&[][..], Vec::as_slice);
            left.extend(children.iter().rev().filter_map(|id| nodes.iter().find(|node| node["nodeId"] == *id)));
        }
        found
    }

    /// Presses a key as a person does.
    pub(crate) fn press(&mut self, key: &str) {
        let (number, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "ArrowLeft" => (37, ""),
            "ArrowRight" => (39, ""),
            other => panic!("{other}: unknown key"),
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for kind in [down, "keyUp"] {
            let text = if kind == "keyUp" { "" } else { text };
            let params =
                json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": number });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// The value of an expression; a promise is awaited.
    pub(crate) fn run(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
