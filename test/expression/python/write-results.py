"""Writes results.txt.gz: what Python 3.11 answers to the conditions of conditions.mjs, one line for each.

    python3.11 write-results.py

A line is "T list [1]" or "F int 0" for a value (T: it is true), the name of the error, or "?" where the answer depends
on the order of a set of texts, which changes from one Python process to the next. A long value is cut and ends with
a checksum. The evaluator stops at powers and shifts that would take too long, as the language does: "LimitError".
"""
import gzip, json, os, subprocess, sys, zlib
from pathlib import Path

SEED, COUNT, LONGEST = 20261122, 102_000, 60
FOLDER = Path(__file__).parent
SAFE = 2**53 - 1
NAMES = ("len int float str bool abs min max sum any all round sorted reversed isinstance list tuple dict set range "
         "enumerate zip next map filter").split()


class LimitError(Exception):
    pass


class UnsupportedError(Exception):
    pass


def is_index(key):
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key) < 2**32 - 1


def as_read(value):
    """JSON as a JavaScript host hands it over: safe integers are int, keys like "10" come first."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) <= SAFE else number
    if isinstance(value, list):
        return [as_read(item) for item in value]
    keys = sorted((k for k in value if is_index(k)), key=int) + [k for k in value if not is_index(k)]
    return {key: as_read(value[key]) for key in keys}


def power(a, b):
    if isinstance(a, int) and isinstance(b, int) and b > 0 and abs(a) > 1 and a.bit_length() * b > 8192:
        raise LimitError
    result = a**b
    if isinstance(result, complex):
        raise UnsupportedError
    return result


def shift(a, b):
    if isinstance(a, int) and isinstance(b, int) and a and b > 4096:
        raise LimitError
    return a << b


def modulo(a, b):
    if isinstance(a, str):
        raise UnsupportedError
    return a % b


def compiled(source):
    import ast

    class Guard(ast.NodeTransformer):
        def visit_BinOp(self, node):
            self.generic_visit(node)
            name = {ast.Mod: "modulo", ast.Pow: "power", ast.LShift: "shift"}.get(type(node.op))
            if name is None:
                return node
            return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], []), node)

    return compile(ast.fix_missing_locations(Guard().visit(ast.parse(source, mode="eval"))), "<condition>", "eval")


def shown(value):
    """repr with the items of sets sorted."""
    if isinstance(value, set):
        return "{" + ", ".join(sorted(map(shown, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(shown, value)) + (",)" if len(value) == 1 else ")")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    return repr(value)


def answer(source, state):
    import builtins, warnings

    names = {name: getattr(builtins, name) for name in NAMES}
    scope = {"__builtins__": names, "power": power, "shift": shift, "modulo": modulo, "session_state": as_read(state)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = eval(compiled(source), scope)
        text = shown(value)
        line = f"{'T' if value else 'F'} {type(value).__name__} {text}"
    except Exception as error:
        return type(error).__name__
    if len(line) <= LONGEST:
        return line.replace("\n", "\\n")
    return f"{line[:20]}~{zlib.crc32(line.encode('utf-8', 'surrogatepass')):08x}"


def answers():
    sources = subprocess.run(["node", FOLDER / "conditions.mjs", str(SEED), str(COUNT)], capture_output=True, check=True)
    for line in sources.stdout.decode("utf-8").splitlines():
        one = json.loads(line)
        yield answer(one["expression"], one["state"])


def main():
    if len(sys.argv) > 1:
        for line in answers():
            sys.stdout.buffer.write(line.encode("utf-8", "surrogatepass") + b"\n")
        return
    runs = []
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, __file__, "print"], env=environment, capture_output=True, check=True)
        runs.append(run.stdout.split(b"\n")[:-1])
    lines = [first if first == second == third else b"?" for first, second, third in zip(*runs)]
    with gzip.GzipFile(FOLDER / "results.txt.gz", "wb", compresslevel=9, mtime=0) as file:
        file.write(b"\n".join(lines) + b"\n")
    print(len(lines), "results,", sum(line == b"?" for line in lines), "of them depend on the order of a set")


main()
