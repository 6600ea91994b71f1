"""Compares the bodies that were sent to Karrio with the OpenAPI document that Karrio serves.

Usage: karrio_bodies.py DOCUMENT BODIES; a body is a line of JSON: its method, path and content.
"""

import collections
import json
import re
import sys

import jsonschema


def pattern(template):
    """The paths of a template such as /v1/shipments/{id}/purchase."""
    parts = re.split(r"\{[^}]*\}", template.rstrip("/"))
    return re.compile("[^/]+".join(map(re.escape, parts)) + "/?")


def operations(document):
    """Each operation with its paths, fixed ones first, and the schema of its body."""
    for template, methods in sorted(document["paths"].items(), key=lambda it: it[0].count("{")):
        for method, operation in methods.items():
            if isinstance(operation, dict):
                content = operation.get("requestBody", {}).get("content", {})
                schema = content.get("application/json", {}).get("schema")
                yield method, template, pattern(template), schema


def validator(document, schema):
    whole = {"allOf": [schema], "components": document["components"]}
    return jsonschema.Draft4Validator(whole)


def leaves(error):
    """The errors behind one of several alternatives."""
    for inner in error.context or []:
        yield from leaves(inner)
    if not error.context:
        yield error


def main(document, bodies):
    with open(document, encoding="utf-8") as file:
        document = json.load(file)
    known = [(method, template, paths, schema and validator(document, schema))
             for method, template, paths, schema in operations(document)]
    compared, wrong = collections.Counter(), collections.Counter()
    with open(bodies, encoding="utf-8") as file:
        for line in map(json.loads, file):
            path = line["path"].split("?")[0]
            found = (it for it in known if it[0] == line["method"] and it[2].fullmatch(path))
            _, template, _, checks = next(found, (None, path, None, None))
            compared[template] += 1
            if checks is None:
                # A call without a documented body takes an empty one.
                if line["body"]:
                    wrong[f"{template}: no such call with a body"] += 1
                continue
            for error in checks.iter_errors(line["body"]):
                for leaf in leaves(error):
                    place = "/".join(map(str, leaf.absolute_path))
                    wrong[f"{template} {place}: {leaf.message[:200]}"] += 1
    for name, count in [*compared.items(), *wrong.items()]:
        print(f"{count:6} {name}")
    needed = ["/v1/proxy/rates", "/v1/shipments", "/v1/shipments/{}/purchase",
              "/v1/pickups/{}/schedule"]
    seen = {re.sub(r"\{[^}]*\}", "{}", name).rstrip("/") for name in compared}
    missing = [name for name in needed if name not in seen]
    print(json.dumps({"proof": "bodies by Karrio's schema", "runs": sum(compared.values()),
                      "violations": sum(wrong.values()), "without": missing}))
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
