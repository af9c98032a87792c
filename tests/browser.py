"""A real browser for tests: Chromium through the W3C WebDriver protocol, with nothing but the standard library."""
import http.client
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 120
TAB, ENTER, SPACE, LEFT, RIGHT = "\ue004", "\ue007", " ", "\ue012", "\ue014"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
         "--hide-scrollbars"]


def is_installed():
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


class BrowserError(Exception):
    pass


class Browser:
    """With `with`; ends the browser and its driver, and removes what they wrote."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="neumann-browser-", ignore_cleanup_errors=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen([shutil.which("chromedriver"), f"--port={self.port}"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        try:
            self.wait_for_driver()
            options = {"binary": shutil.which("chromium"),
                       "args": [*FLAGS, f"--user-data-dir={self.folder.name}/profile"]}
            capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = answer["sessionId"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.session is not None:
            try:
                self.ask("DELETE", f"/session/{self.session}")
            except (OSError, BrowserError, http.client.HTTPException):
                pass  # it ends with its driver
        self.driver.terminate()
        try:
            self.driver.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
            self.driver.wait()
        self.folder.cleanup()

    def wait_for_driver(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if self.ask("GET", "/status")["ready"]:
                    return
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end or self.driver.poll() is not None:
                    raise
            time.sleep(0.1)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            text = None if method != "POST" else json.dumps(body or {})
            connection.request(method, path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(f"{path}: {value['error']}: {value.get('message', '')}")
        return value

    def post(self, path, **body):
        return self.ask("POST", f"/session/{self.session}/{path}", body)

    def open(self, page, fragment=""):
        self.post("url", url="about:blank")
        self.post("se/log", type="performance")  # forgotten
        self.post("se/log", type="browser")
        self.post("url", url=pathlib.Path(page).resolve().as_uri() + fragment)

    def run(self, script, *arguments):
        """The value of a JavaScript function body."""
        return self.post("execute/sync", script=script, args=list(arguments))

    def protocol(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.post("goog/cdp/execute", cmd=command, params=parameters)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def element(self, selector):
        return self.post("element", using="css selector", value=selector)

    def click(self, selector):
        (identity,) = self.element(selector).values()
        self.post(f"element/{identity}/click")

    def upload(self, selector, *files):
        """Chooses files, as a dialog would."""
        (identity,) = self.element(selector).values()
        self.post(f"element/{identity}/value", text="\n".join(map(str, files)))

    def messages(self):
        """What the console and the security policy complained about."""
        return [entry["message"] for entry in self.post("se/log", type="browser")]

    def addresses(self):
        """Everything that was asked for, here or over the network."""
        found = []
        for entry in self.post("se/log", type="performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def set_scheme(self, scheme):
        self.protocol("Emulation.setEmulatedMedia", media="screen",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def set_size(self, width, height=900):
        self.protocol("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)

    def screenshot(self, path):
        """Of the whole page."""
        import base64
        data = self.protocol("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
