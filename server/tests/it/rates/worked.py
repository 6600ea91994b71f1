#!/usr/bin/env python3
"""Works out shipments from the sample cards on its own and writes worked.csv.

It shares nothing with the server but the files in server/data, and computes with fractions. The
test in worked.rs asks the server for the same shipments and compares every line to the paisa.

    python3 server/tests/it/rates/worked.py
"""

import csv
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE.parents[2] / "data"
OUR_GST_STATE = "07"  # of the sample company
GST = Fraction(18)

DAYS = ["2026-01-01", "2026-03-31", "2026-04-01", "2026-07-15", "2026-10-09", "2026-12-31",
        "2027-01-01", "2027-05-20"]
INDIA = [("110001", "110092"), ("110001", "110020"), ("560001", "560034"), ("560001", "570001"),
         ("110001", "560001"), ("400001", "700001"), ("110001", "302001"), ("302001", "110001"),
         ("226001", "641001"), ("110001", "781001"), ("781001", "560001"), ("110001", "194101"),
         ("744101", "600001"), ("110001", "682001"), ("110001", "673001"), ("110001", "122001"),
         ("122001", "400001"), ("600001", "246171"), ("781001", "781005"), ("500001", "175131"),
         ("560001", "682555")]
ABROAD = [("110001", "US", "10001"), ("560001", "US", "99501"), ("110001", "GB", "SW1A 1AA"),
          ("400001", "GB", "ZE1 0AA"), ("560001", "AE", ""), ("110001", "SG", "018956"),
          ("400001", "NP", "44600"), ("110001", "JP", "100-0001"), ("194101", "AU", "2000"),
          ("560001", "AU", "0800"), ("110001", "DE", "10115"), ("700001", "CA", "X0A 0H0"),
          ("110001", "ZA", "0001"), ("110001", "BR", "01310-100"), ("560001", "RU", "101000"),
          ("110001", "TR", "34000"), ("110001", "HK", ""), ("110001", "CU", "10100"),
          ("744101", "NO", "9008")]
WEIGHTS = ["0.001", "0.25", "0.251", "0.5", "0.501", "1", "1.75", "2.5", "4.999", "9.5", "10",
           "10.001", "19.75", "20.5", "33.3", "40.001", "69", "71", "120"]
DOCUMENTS = ["0.001", "0.25", "0.26", "0.5", "0.75", "1.2", "1.999", "2", "2.001"]
SIZES = [("0", "0", "0"), ("10", "0", "0"), ("30", "20", "15"), ("40", "30", "50"),
         ("110", "10", "10"), ("110.05", "20", "20"), ("121", "30", "12.34"),
         ("181", "10.5", "7"), ("151", "40", "40"), ("60", "60", "60"), ("301", "10", "10")]
PIECES = [1, 1, 2, 1, 3, 1, 7]


def read(name):
    with open(DATA / name, newline="") as file:
        return list(csv.DictReader(file))


def read_cards():
    """The rows of each kind, as dictionaries by the heading above them."""
    rows, headings = {}, {}
    with open(DATA / "sample_cards.csv", newline="") as file:
        for cells in csv.reader(file):
            if cells and cells[0].startswith("#"):
                headings[cells[0][1:]] = cells[1:]
            elif cells:
                row = dict(zip(headings[cells[0]], cells[1:]))
                rows.setdefault(cells[0], []).append(row)
    return rows


CARDS = read_cards()
PINS = {row["pincode"]: row for row in read("pincodes.csv")}
COUNTRIES = {row["country_code"]: row for row in read("countries.csv")}
ZONE_NAMES = {"a": "Within city", "b": "Within state", "c": "Metro to metro",
              "d": "Rest of India", "e": "North East, J&K and other special areas"}


def up(value):
    return -((-value) // 1)


def number(text):
    return Fraction(text or "0")


def nearest(value):
    """Half away from zero; amounts here are never negative."""
    return (value + Fraction(1, 2)) // 1


def percent_of(paise, percent):
    return nearest(paise * percent / 100)


def names(zoning, what):
    for row in CARDS["zone"]:
        if row["zoning"] == zoning and row["what"] == what:
            yield (row["name"], row["zone"])


def is_remote(zoning, country, code):
    for name, _ in names(zoning, "remote"):
        words = name.split()
        if words[0] == country and any(code.startswith(start) for start in words[1:]):
            return True
    return False


def counts_as(zoning, pin):
    best = ""
    found = None
    for name, zone in names(zoning, "pin"):
        for start in name.split():
            if pin["pincode"].startswith(start) and len(start) > len(best):
                best, found = start, zone
    if found:
        return found
    if any(name == pin["city_area"] for name, _ in names(zoning, "metro")):
        return "metro"
    if any(pin["state_code"] in name.split() for name, _ in names(zoning, "special")):
        return "special"
    return "rest"


def zone_of(zoning, origin, country, code):
    """The zone's name on the card and what customers read."""
    if country != "IN":
        for name, zone in names(zoning, "country"):
            if country in name.split():
                return zone, f"Zone {zone}: {COUNTRIES[country]['country_name']}"
        return None, ""
    one, two = PINS[origin], PINS[code]
    if one["state"] == two["state"]:
        letter = "a" if one["city_area"] == two["city_area"] else "b"
    else:
        ends = {counts_as(zoning, one), counts_as(zoning, two)}
        letter = "e" if "special" in ends else "c" if ends == {"metro"} else "d"
    return letter, ZONE_NAMES[letter]


def rows_of(kind, product_id, start):
    return [row for row in CARDS.get(kind, [])
            if row["product_id"] == product_id and row["from"] == start]


def card_on(product_id, day):
    begun = [row for row in CARDS["card"] if row["product_id"] == product_id
             and row["from"] <= day and (not row["until"] or day <= row["until"])]
    return max(begun, key=lambda row: row["from"], default=None)


def fuel_on(product_id, day):
    begun = [row for row in CARDS["fuel"]
             if row["product_id"] == product_id and row["month"] <= day[:7]]
    newest = max(begun, key=lambda row: row["month"], default=None)
    return newest["percent"] if newest else "0"


def shown(percent):
    return f"{percent.rstrip('0').rstrip('.') if '.' in percent else percent} %"


def price(product, day, origin, country, code, document, kg, sides, pieces):
    """Zone, chargeable grams and lines in paise; None when the product does not take it."""
    if (product["scope"] == "international") != (country != "IN"):
        return None
    if ("document" if document else "parcel") not in product["kinds"].split("+"):
        return None
    card = card_on(product["product_id"], day)
    if card is None:
        return None
    zone, label = zone_of(product["zoning"], origin, country, code)
    slabs = rows_of("slab", product["product_id"], card["from"])
    slab = next((row for row in slabs if row["zone"] == zone), None)
    if slab is None:
        return None

    grams = number(kg) * 1000
    mm = [up(number(side) * 10) for side in sides]
    volume = up(Fraction(mm[0] * mm[1] * mm[2], int(product["divisor"])))
    longest = max(mm)
    factor = 100
    charges = []
    for rule in rows_of("oversize", product["product_id"], card["from"]):
        if rule["over_cm"]:
            over = longest > number(rule["over_cm"]) * 10
            text = f"Piece over {rule['over_cm']} cm"
        else:
            over = grams > number(rule["over_kg"]) * 1000
            text = f"Piece over {rule['over_kg']} kg"
        if over and rule["effect"] == "refuse":
            return None
        if over and rule["effect"] == "weight":
            factor = max(factor, int(rule["value"]))
        if over and rule["effect"] == "charge":
            charges.append((text, number(rule["value"]) * 100 * pieces))
    piece = up(max(grams, volume) * Fraction(factor, 100))
    unit = number(card["round_kg"]) * 1000
    weight = up(piece / unit) * unit * pieces
    weight = max(weight, number(product["minimum_kg"]) * 1000)
    if weight > number(product["maximum_kg"]) * 1000:
        return None

    first, step = number(slab["first_kg"]) * 1000, number(slab["step_kg"]) * 1000
    freight, chargeable = number(slab["first_rupees"]) * 100, first
    limit = number(slab["above_kg"]) * 1000 if slab["above_kg"] else None
    while chargeable < weight and (limit is None or chargeable < limit):
        chargeable += step
        freight += number(slab["step_rupees"]) * 100
    while chargeable < weight:
        chargeable += 1000
        freight += number(slab["above_rupees_kg"]) * 100
    freight = max(freight, number(card["minimum_rupees"]) * 100)
    freight += percent_of(freight, number(card["margin_percent"]))
    unit = number(card["round_rupees"]) * 100
    freight = up(freight / unit) * unit

    remote = max(number(card["remote_rupees_kg"]) * 100 * up(chargeable / 1000),
                 number(card["remote_minimum_rupees"]) * 100)
    if remote and is_remote(product["zoning"], "IN", origin):
        charges.append(("Remote area pickup", remote))
    if remote and is_remote(product["zoning"], country, code):
        charges.append(("Remote area delivery", remote))
    lines = [("Freight", freight)] + charges
    base = sum(amount for _, amount in lines) if card["fuel_on"] == "all" else freight
    percent = fuel_on(product["product_id"], day)
    fuel = percent_of(base, number(percent))
    if fuel:
        lines.append((f"Fuel surcharge {shown(percent)}", fuel))
    taxable = sum(amount for _, amount in lines)
    if PINS[origin]["gst_state_code"] == OUR_GST_STATE:
        half = percent_of(taxable, GST / 2)
        lines += [("CGST 9 %", half), ("SGST 9 %", half)]
    else:
        lines.append(("IGST 18 %", percent_of(taxable, GST)))
    total = sum(amount for _, amount in lines)
    return label, int(chargeable), [(name, int(amount)) for name, amount in lines], int(total)


def shipments():
    """Steps that have no common divisor with the lists' lengths walk through all combinations."""
    for i in range(380):
        day = DAYS[(i * 3 + i // 8) % len(DAYS)]
        if i % 2:
            origin, country, code = ABROAD[(i // 2) % len(ABROAD)]
        else:
            origin, code = INDIA[(i // 2) % len(INDIA)]
            country = "IN"
        document = i % 5 == 4
        if document:
            kg = DOCUMENTS[(i * 7 // 5) % len(DOCUMENTS)]
            yield day, origin, country, code, True, kg, ("0", "0", "0"), 1
        else:
            kg = WEIGHTS[(i * 7) % len(WEIGHTS)]
            sides = SIZES[(i * 5 + i // 11) % len(SIZES)]
            yield day, origin, country, code, False, kg, sides, PIECES[i * 3 % len(PIECES)]


def main():
    with open(HERE / "worked.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow("shipment day from country_id to kind kg length width height pieces "
                     "product_id zone chargeable_grams lines total_paise".split())
        for count, shipment in enumerate(shipments(), 1):
            day, origin, country, code, document, kg, sides, pieces = shipment
            asked = [count, day, origin, COUNTRIES[country]["country_id"], code,
                     2 if document else 1, kg, *sides, pieces]
            found = False
            for product in CARDS["product"]:
                priced = price(product, day, origin, country, code, document, kg, sides, pieces)
                if priced:
                    found = True
                    zone, grams, lines, total = priced
                    text = "; ".join(f"{name} = {amount}" for name, amount in lines)
                    out.writerow(asked + [product["product_id"], zone, grams, text, total])
            if not found:
                out.writerow(asked + ["", "", "", "", ""])


if __name__ == "__main__":
    main()
