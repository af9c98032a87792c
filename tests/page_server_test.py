#!/usr/bin/env python3
"""The page's own server: page_server_test.py NEUMANN FAKE

Asks `neumann page` as browsers do, and as others would: paths outside of its folder, other hosts and origins, wrong
tokens, requests that are too large, never end or are none, pictures that are none, many at once, browsers that go away,
engines that take too much or break. It must go on answering. FAKE is a component that sees pictures without a network.
"""
import base64
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from perceive_test import colour_png, square, weights

PATIENCE = 60
PAGE = '<!doctype html><meta name="color-scheme" content="light"><title>page</title>'
SEES = ":- type(image, [img]).\n:- type(object, [obj0, obj1]).\n:- type(color, [red, yellow, blue]).\n:- neural(color(object, color)).\n:- neural(in(object, image)).\n" \
    "red(X) :- in(X, Y), color(X, red).\n:- query(red(X)).\n"
# Tens of millions of ground clauses.
LARGE = {"do": "reason", "program": "e(X, Y) :- between(1, 400, X), between(1, 400, Y).\np(X, Y) :- e(X, Y).\np(X, Z) :- p(X, Y), e(Y, Z).\n:- query(p(X, Y)).\n"}
# Takes long, and little memory.
ENDLESS = {"do": "reason", "program": "".join(f"0.5::a({n}).\n" for n in range(50)) + "p :- a(X), a(Y), X < Y.\n", "semantics": "sample", "samples": 10**9}


class Test:
    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.host, self.port = parts.netloc, parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        self.query = parts.query
        self.checks = self.failed = 0

    def expect(self, holds, what):
        self.checks += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Host": self.host} | {name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def raw(self, *pieces, pause=0.0):
        """What comes back for these bytes; empty if the server hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)
                connection.shutdown(socket.SHUT_WR)
                answer = b""
                while block := connection.recv(65536):
                    answer += block
                return answer
            except (BrokenPipeError, ConnectionResetError):
                return b""

    def reason(self, request, **headers):
        return self.ask("POST", "/answer", json.dumps(request), **({"X_Neumann_Token": self.token} | headers))

    def answer(self, request):
        status, text = self.reason(request)
        self.expect(status == 200, f"{status} {text[:200]}")
        return json.loads(text.splitlines()[-1])["answer"]

    def still_answers(self, after):
        status, text = self.reason({"do": "reason", "program": "0.7::rain.\nwet :- rain.\n"})
        good = status == 200 and abs(json.loads(text.splitlines()[-1])["answer"]["examples"][0]["values"]["wet"] - 0.7) < 1e-6
        self.expect(good, f"no answer after {after}: {status} {text[:200]}")

    def check_files(self):
        self.expect(self.ask("GET", "/") == (200, PAGE), "the page is not served")
        self.expect(self.token in self.ask("GET", f"/?{self.query}")[1], "the page with the token does not know it")
        self.expect(self.token not in self.ask("GET", "/?token=" + "0" * 32)[1], "a wrong token gives the right one")
        self.expect(self.ask("GET", "/js/main.js") == (200, "main"), "a file in a folder is not served")
        self.expect(self.ask("HEAD", "/js/main.js")[0] == 200, "HEAD is refused")
        for path in ("/../secret.html", "/js/../../secret.html", "/%2e%2e/secret.html", "//secret.html", "/js", "/js/", "/link.html/..",
                     "/etc/passwd", "/..%2fsecret.html", "/js\\..\\..\\secret.html", "/.hidden/secret.html/../../../secret.html", "/index.html%00.js"):
            status, text = self.ask("GET", path)
            self.expect(status == 404 and "secret" not in text, f"GET {path}: {status} {text[:60]}")
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
            self.expect(self.ask(method, "/", "" if method in ("PUT", "PATCH") else None)[0] in (405, 411), f"{method} is not refused")

    def check_strangers(self):
        for host in ("example.com", f"example.com:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}", "", f"127.0.0.1:{self.port}.example.com"):
            self.expect(self.ask("GET", "/", Host=host)[0] == 403, f"host '{host}' is served")
            self.expect(self.reason({"do": "about"}, Host=host)[0] == 403, f"host '{host}' may ask")
        self.expect(b" 403 " in self.raw(b"GET / HTTP/1.1\r\n\r\n"), "no host is served")
        twice = f"GET / HTTP/1.1\r\nHost: {self.host}\r\nHost: example.com\r\n\r\n".encode()
        self.expect(b" 403 " in self.raw(twice), "two hosts are served")
        self.expect(self.ask("GET", "/", Host=f"localhost:{self.port}")[0] == 200, "localhost is refused")
        for origin in ("http://example.com", "null", f"http://127.0.0.1:{self.port + 1}", f"https://{self.host}"):
            self.expect(self.reason({"do": "about"}, Origin=origin)[0] == 403, f"origin {origin} may ask")
        self.expect(self.reason({"do": "about"}, Origin=f"http://{self.host}")[0] == 200, "the page itself may not ask")
        for token in ("", "x", self.token[:-1], self.token + "0", "0" * 32):
            self.expect(self.reason({"do": "about"}, X_Neumann_Token=token)[0] == 403, f"token '{token}' may ask")
        self.expect(self.ask("POST", "/other", "{}", X_Neumann_Token=self.token)[0] == 404, "another path answers")

    def check_large_and_malformed(self):
        host = f"Host: {self.host}\r\n".encode()
        token = f"X-Neumann-Token: {self.token}\r\n".encode()
        for what, request, status in (
                ("no HTTP", b"hello\r\n\r\n", 400), ("another version", b"GET / HTTP/3\r\n" + host + b"\r\n", 400),
                ("no path", b"GET  HTTP/1.1\r\n" + host + b"\r\n", 400), ("a full address", b"GET http://x/ HTTP/1.1\r\n" + host + b"\r\n", 400),
                ("a header without colon", b"GET / HTTP/1.1\r\n" + host + b"x\r\n\r\n", 400),
                ("a header with a zero byte", b"GET / HTTP/1.1\r\n" + host + b"x: \0\r\n\r\n", 400),
                ("long headers", b"GET / HTTP/1.1\r\n" + host + b"x: " + b"y" * 20000 + b"\r\n\r\n", 431),
                ("a body without length", b"POST /answer HTTP/1.1\r\n" + host + b"\r\n", 411),
                ("a huge body", b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n", 413),
                ("a huge number", b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n", 413),
                ("a negative length", b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n", 400),
                ("two lengths", b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
                ("a body in chunks", b"POST /answer HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
                ("a body of a stranger", b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: 100\r\n\r\nxx", 403),
                ("a compressed body", b"POST /answer HTTP/1.1\r\n" + host + token + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx", 415),
                ("a body that ends early", b"POST /answer HTTP/1.1\r\n" + host + token + b"Content-Length: 100\r\n\r\nxx", 400)):
            answer = self.raw(request)
            self.expect(f" {status} ".encode() in answer[:20], f"{what}: {answer[:60]}")
        for body in ("", "no JSON", "[]", "{}", '{"do": 3}', '{"do": "reason", "program": "p(("}', '{"do": "check", "program": "p.", "files": {"../x": ""}}', "[" * 100000):
            status, text = self.ask("POST", "/answer", body, X_Neumann_Token=self.token)
            self.expect(status == 200 and "error" in json.loads(text.splitlines()[-1])["answer"], f"{body[:50]}: {status} {text[:80]}")
        self.still_answers("malformed requests")

    def check_noise(self):
        seed = random.randrange(1 << 30)
        print(f"seed {seed}")
        chance = random.Random(seed)
        good = f"POST /answer HTTP/1.1\r\nHost: {self.host}\r\nX-Neumann-Token: {self.token}\r\nContent-Length: 16\r\n\r\n{{\"do\": \"about\"}} ".encode()
        for _ in range(200):
            noise = bytearray(good)
            for _ in range(chance.randrange(1, 8)):
                at = chance.randrange(len(noise))
                noise[at:at + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
            self.raw(bytes(noise[:chance.randrange(1, len(noise) + 1)]))
        self.still_answers(f"noise of seed {seed}")

    def check_many(self):
        idle = [socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) for _ in range(20)]
        open_ones = []
        for _ in range(100):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request("POST", "/answer", '{"do": "check", "program": "p."}', {"Host": self.host, "X-Neumann-Token": self.token})
            open_ones.append(connection)
        good = sum(connection.getresponse().read().startswith(b'{"answer"') for connection in open_ones)
        self.expect(good == 100, f"{good} of 100 connections at once were answered")
        for connection in [*idle, *open_ones]:
            connection.close()

    def check_slow_and_idle(self, server):
        """Connections that send nothing, too little, or their bodies late hold nothing up."""
        host = f"Host: {self.host}\r\n".encode()
        starts = [b"", b"G", b"POST /answer HTTP/1.1\r\n" + host,
                  b"POST /answer HTTP/1.1\r\n" + host + b"Content-Length: 1000\r\n\r\n{"]  # without the token
        idle = []
        for n in range(300):
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
            connection.sendall(starts[n % len(starts)])
            idle.append(connection)
        used = cpu_seconds(server)
        begun = time.monotonic()
        self.still_answers("300 slow and idle connections")
        self.expect(time.monotonic() - begun < 1, f"an answer beside 300 idle connections takes {time.monotonic() - begun:.2f} s")
        for connection in idle[1::4]:
            connection.sendall(b"E")
        begun = time.monotonic()
        self.still_answers("connections that send a byte now and then")
        self.expect(time.monotonic() - begun < 1, f"an answer beside slow connections takes {time.monotonic() - begun:.2f} s")
        self.expect(cpu_seconds(server) - used < 1, "waiting takes the processor")
        closed = idle[0]
        closed.settimeout(PATIENCE)
        self.expect(closed.recv(100) == b"", "a connection without a request stays open")
        for connection in idle:
            connection.close()

    def check_hanging_up(self, server):
        self.expect(wait_until(lambda: children(server) == 0), "what has been answered goes on")
        body = json.dumps(ENDLESS)
        gone = []
        for _ in range(5):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request("POST", "/answer", body, {"Host": self.host, "X-Neumann-Token": self.token})
            gone.append(connection)
        self.expect(wait_until(lambda: children(server) == 5), "long requests do not run side by side")
        for connection in gone:
            connection.close()
        self.expect(wait_until(lambda: children(server) == 0), "what nobody waits for goes on")
        self.still_answers("browsers that went away")


    def check_pictures(self):
        good = {"title": "../../red square.png", "data": text_of(colour_png(square(64)))}
        seen = self.answer({"do": "look", "program": SEES, "pictures": [good]})
        names = [one["color"]["value"] for picture in seen.get("pictures", []) for one in picture["objects"]]
        self.expect(names == ["red"] and seen["pictures"][0]["title"] == good["title"], f"seen: {seen}")
        self.expect(seen.get("examples", [{}])[0].get("atoms", {}).get("color(obj0,red)", 0) > 0.9, f"no atoms: {seen}")
        together = self.answer({"do": "look", "program": SEES, "pictures": [good, good], "together": True})
        self.expect([one["pictures"] for one in together["examples"]] == [[0, 1]], f"together: {together}")
        why = self.answer({"do": "explain", "program": SEES, "pictures": [good], "atoms": ["red(obj0)"], "html": True})
        self.expect("red square.png" in why.get("html", "") and "data:image/png" in why["html"], f"no picture in the explanation: {str(why)[:200]}")
        other = self.answer({"do": "look", "program": "p.", "pictures": [good]})
        self.expect(len(other["pictures"]) == 1 and "neural" in other["problem"], f"a program without neural predicates: {other}")
        torn = base64.b64decode(good["data"])[:-20]
        garbage = [{"title": f"{n}.png", "data": text_of(data)} for n, data in enumerate((b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", torn, b"\xff\xd8\xff" + bytes(99)))]
        found = self.answer({"do": "look", "program": SEES, "pictures": [*garbage, good]})
        self.expect(len(found["pictures"]) == 1 and found["pictures"][0]["image"] == len(garbage), f"garbage is seen: {found}")
        self.expect(all(one["title"] in found["notes"] for one in garbage), f"garbage is not named: {found['notes']}")
        for what, pictures in (("no list", {}), ("none", []), ("no object", [3]), ("no data", [{"title": "x"}]), ("no Base64", [{"title": "x", "data": "?"}]), ("too many", [good] * 65)):
            self.expect("error" in self.answer({"do": "look", "program": SEES, "pictures": pictures}), f"pictures: {what}")
        self.expect("no network" in self.answer({"do": "look", "program": SEES, "pictures": [good], "network": "../x"})["error"], "another network is opened")
        self.expect(self.reason({"do": "look", "program": SEES, "pictures": [good]}, X_Neumann_Token="0" * 32)[0] == 403, "pictures without the token")
        too_large = f"POST /answer HTTP/1.1\r\nHost: {self.host}\r\nX-Neumann-Token: {self.token}\r\nContent-Length: {(32 << 20) + 1}\r\n\r\n".encode()
        self.expect(b" 413 " in self.raw(too_large, b"x" * 100000)[:20], "too large a picture is read")
        self.still_answers("pictures")

    def check_breaking(self, server):
        """An engine that breaks is told as such."""
        for number in (signal.SIGSEGV, signal.SIGKILL):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request("POST", "/answer", json.dumps(ENDLESS), {"Host": self.host, "X-Neumann-Token": self.token})
            self.expect(wait_until(lambda: engines(server)), "no engine is started")
            os.kill(engines(server)[0], number)
            said = connection.getresponse().read().decode()
            self.expect("error: the engine broke" in said, f"an engine that was sent {number}: {said}")
            connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/answer", json.dumps(ENDLESS), {"Host": self.host, "X-Neumann-Token": self.token})
        self.expect(wait_until(lambda: engines(server)), "no engine is started")
        engine = engines(server)[0]  # a watcher that has ended may still be there, without an engine
        os.kill(next(watcher for watcher in children_of(server) if engine in children_of(watcher)), signal.SIGKILL)
        self.expect(wait_until(lambda: has_ended(engine)), "an engine that nobody watches goes on")
        connection.close()
        self.still_answers("engines that broke")

    def check_reading(self, folder, allowed):
        """Programs read the files of their request, of --allow and no others."""
        table = folder / "allowed" / "table.csv"
        for path, may in ((table, allowed), (folder / "secret.csv", False), (folder / "allowed" / ".." / "secret.csv", False),
                          (folder / "allowed" / "link.csv", False), ("../../secret.csv", False), ("/etc/passwd", False)):
            said = self.answer({"do": "reason", "program": f":- facts(user/1, '{path}', [separator(';')]).\n:- query(user(X)).\n"})
            shown = json.dumps(said)
            self.expect(("visible" in shown) == may and ("--allow" in shown) == (not may), f"facts of {path}: {shown[:300]}")
        for path, may in ((folder / "allowed" / "more.nm", allowed), (folder / "secret.nm", False), ("/etc/passwd", False)):
            said = self.answer({"do": "reason", "program": f":- include('{path}').\n:- query(visible(X)).\n"})
            shown = json.dumps(said)
            self.expect(("visible(a)" in shown) == may and ("--allow" in shown) == (not may), f"include of {path}: {shown[:300]}")
        said = self.answer({"do": "reason", "program": ":- facts(user/1, 'own.csv').\n:- query(user(X)).\n", "files": {"own.csv": "own\n"}})
        self.expect("user(own)" in json.dumps(said), f"a file of the request: {said}")

    def check_limit(self, request, says):
        said = self.answer(request)
        self.expect(says in said.get("error", ""), f"no '{says}': {str(said)[:200]}")
        self.still_answers(f"'{says}'")


def cpu_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def text_of(data):
    return base64.b64encode(data).decode("ascii")


def children_of(process):
    try:
        return [int(one) for one in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()]
    except FileNotFoundError:
        return []


def children(process):
    return len(children_of(process))


def engines(server):
    return [engine for watcher in children_of(server) for engine in children_of(watcher)]


def has_ended(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Server:
    """`neumann page`, ended in the end."""

    def __init__(self, neumann, folder, *options, **environment):
        self.process = subprocess.Popen([neumann, "page", "--folder", folder / "page", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=os.environ | {"TMPDIR": str(folder / "tmp")} | environment)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def check_others(test, neumann, folder):
    """Servers with limits, without networks, and one that is killed."""
    if b"__asan_init" not in pathlib.Path(neumann).read_bytes():  # which needs more memory than any limit
        with Server(neumann, folder, "--memory-limit", "300M") as server:
            limited = Test(server.address)
            limited.check_limit(LARGE, "memory")
            test.checks += limited.checks
            test.failed += limited.failed
    with Server(neumann, folder, "--time-limit", "1", NEUMANN_PERCEPTION_LIBRARY="/nowhere") as server:
        other = Test(server.address)
        said = other.answer({"do": "look", "program": SEES, "pictures": [{"title": "a.png", "data": text_of(colour_png(square(64)))}]})
        other.expect("no such file" in said.get("error", ""), f"without networks: {said}")
        other.check_limit(ENDLESS, "stopped after 1 s")
        connection = http.client.HTTPConnection("127.0.0.1", other.port, timeout=PATIENCE)
        connection.request("POST", "/answer", json.dumps(ENDLESS), {"Host": other.host, "X-Neumann-Token": other.token})
        other.expect(wait_until(lambda: engines(server.process.pid)), "no engine is started")
        engine = engines(server.process.pid)[0]
        server.process.kill()
        other.expect(wait_until(lambda: has_ended(engine)), "an engine outlives the server")
        connection.close()
    test.checks += other.checks
    test.failed += other.failed
    left = list((folder / "tmp").iterdir())
    test.expect(left, "a server that was killed leaves no folder: the next check shows nothing")
    with Server(neumann, folder, "--allow", folder / "allowed") as server:
        reading = Test(server.address)
        reading.expect(not any(one.exists() for one in left), f"folders of a killed server stay: {left}")
        reading.check_reading(folder, allowed=True)
        test.checks += reading.checks
        test.failed += reading.failed
    nowhere = subprocess.run([neumann, "page", "--folder", folder / "page", "--allow", folder / "nowhere"], capture_output=True, text=True, timeout=PATIENCE)
    test.expect(nowhere.returncode == 2 and "nowhere" in nowhere.stderr, f"--allow of no folder: {nowhere.returncode} {nowhere.stderr}")
    for value in ("x", "0", "-1G"):
        refused = subprocess.run([neumann, "page", "--memory-limit", value], capture_output=True, text=True, timeout=PATIENCE)
        test.expect(refused.returncode == 2 and "--memory-limit" in refused.stderr, f"--memory-limit {value}: {refused.returncode} {refused.stderr}")


def wait_until(holds):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def main(neumann, fake):
    with tempfile.TemporaryDirectory(prefix="neumann-server-") as name:
        folder = pathlib.Path(name)
        for file, text in (("page/index.html", PAGE), ("page/js/main.js", "main"), ("secret.html", "secret"), ("page/secret.txt", "secret")):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        for file, text in (("allowed/table.csv", "visible\n"), ("allowed/more.nm", "visible(a).\n"), ("secret.csv", "visible\n"), ("secret.nm", "visible(a).\n")):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "allowed/link.csv").symlink_to(folder / "secret.csv")
        for part in ("tmp", "weights", "other"):
            (folder / part).mkdir()
        for network, layout in (("figures", "flat"), ("solids", "solid"), ("slots", "solid")):
            weights(folder / "weights" / f"{network}.safetensors", layout=layout)
        missing = subprocess.run([neumann, "page", "--folder", folder / "tmp"], capture_output=True, text=True, timeout=PATIENCE)
        with Server(neumann, folder, NEUMANN_PERCEPTION_LIBRARY=fake, NEUMANN_WEIGHTS=str(folder / "weights"), XDG_CACHE_HOME=str(folder / "other")) as server:
            test = Test(server.address)
            test.expect(missing.returncode == 2 and "make page" in missing.stderr, f"a folder without a page: {missing.returncode} {missing.stderr}")
            taken = subprocess.run([neumann, "page", "--folder", folder / "page", "--port", str(test.port)], capture_output=True, text=True, timeout=PATIENCE)
            test.expect(taken.returncode == 2 and str(test.port) in taken.stderr, f"a port that is taken: {taken.returncode} {taken.stderr}")
            test.check_files()
            test.check_strangers()
            test.check_large_and_malformed()
            test.check_noise()
            test.check_pictures()
            test.check_many()
            test.check_slow_and_idle(server.process.pid)
            test.check_reading(folder, allowed=False)
            test.check_hanging_up(server.process.pid)
            test.check_breaking(server.process.pid)
            for part in ("tmp", "other"):
                test.expect(wait_until(lambda of=folder / part: not any(of.iterdir())), f"left behind: {list((folder / part).iterdir())[:3]}")
            connection = http.client.HTTPConnection("127.0.0.1", test.port, timeout=PATIENCE)
            connection.request("POST", "/answer", json.dumps(ENDLESS), {"Host": test.host, "X-Neumann-Token": test.token})
            test.expect(wait_until(lambda: engines(server.process.pid)), "no engine is started")
            server.process.send_signal(signal.SIGINT)
            test.expect(server.process.wait(timeout=PATIENCE) in (0, 130), f"Ctrl-C ends it with {server.process.returncode}")
            test.expect(not any((folder / "tmp").iterdir()), "Ctrl-C leaves something behind")
            test.expect(server.process.stderr.read() == "", "it complained")
            connection.close()
        check_others(test, neumann, folder)
    print(f"server: {test.checks - test.failed} passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main(*(str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:])))
