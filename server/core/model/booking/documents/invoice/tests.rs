use proptest::prelude::*;
use time::macros::date;

use super::*;
use crate::model::settings::company::DropOff;

#[test]
fn the_year_of_accounts_turns_on_the_first_of_april() {
    for (day, year) in [
        (date!(2026 - 11 - 21), "26-27"),
        (date!(2027 - 03 - 31), "26-27"),
        (date!(2027 - 04 - 01), "27-28"),
        (date!(2100 - 01 - 01), "99-00"),
    ] {
        assert_eq!(financial_year(day), year);
    }
}

#[test]
fn numbers_have_at_most_sixteen_characters_of_those_allowed() {
    for series in [1, 999_999, 999_999_999] {
        for kind in [DocumentKind::Invoice, DocumentKind::CreditNote] {
            let number = kind.number("26-27", 'H', series);
            assert!(number.len() <= 16, "{number}");
            let allowed = |c: char| c.is_ascii_alphanumeric() || "-/".contains(c);
            assert!(number.chars().all(allowed), "{number}");
        }
    }
    assert_eq!(DocumentKind::Invoice.number("26-27", 'A', 1), "DK/27A/000001");
    assert_eq!(DocumentKind::CreditNote.number("99-00", 'B', 1_000_000), "CN/00B/1000000");
}

fn amount(label: &str, paise: i64) -> DocumentLine {
    DocumentLine { label: label.to_owned(), amount: Paise::new(paise) }
}

/// Makes an invoice for this freight, with CGST and SGST or with IGST.
fn sample(taxable: i64, within_state: bool) -> Invoice {
    let tax = |bp: i64| Paise::new(taxable).share_bp(bp).get();
    let taxes = match within_state {
        true => vec![amount("CGST 9 %", tax(900)), amount("SGST 9 %", tax(900))],
        false => vec![amount("IGST 18 %", tax(1_800))],
    };
    let gst: Paise = taxes.iter().map(|tax| tax.amount).sum();
    let text = || "x".to_owned();
    Invoice {
        kind: DocumentKind::Invoice,
        number: "DK/27A/000001".to_owned(),
        issued_ms: 1,
        seller: Company {
            name: text(),
            address: text(),
            email: text(),
            phone: text(),
            gstin: "07AAACD1234E1ZB".to_owned(),
            lut: String::new(),
            city: text(),
            state: text(),
            drop_off: DropOff::default(),
        },
        buyer: Buyer::default(),
        place_of_supply: place_of_supply("", "110001"),
        consignment: Consignment::default(),
        lines: vec![amount("Freight", taxable)],
        taxable: Paise::new(taxable),
        taxes,
        total: [Paise::new(taxable), gst].into_iter().sum(),
        against: None,
        sez: None,
        registration: None,
    }
}

#[test]
fn a_whole_refund_is_the_invoice_taken_back() {
    for within_state in [true, false] {
        let invoice = sample(16_188, within_state);
        let note = reversal(invoice.clone(), Paise::ZERO, invoice.total, 2);
        assert_eq!(
            (note.taxable, &note.taxes, &note.lines),
            (invoice.taxable, &invoice.taxes, &invoice.lines)
        );
        assert_eq!(note.against.unwrap().number, invoice.number);
        assert_eq!(note.kind, DocumentKind::CreditNote);
    }
}

#[test]
fn what_is_added_to_a_supply_without_tax_has_none() {
    let mut invoice = sample(16_188, false);
    invoice.taxes = vec![amount("IGST 0 %", 0)];
    invoice.sez = Some(SezSupply::WithoutTax);
    let (taxable, courier) = (Paise::rupees(100), Paise::ZERO);
    let gst = gst_on(&invoice, taxable);
    assert_eq!(gst, Paise::ZERO);
    let parts = ChargeParts { taxable, gst, courier };
    let note = supplement(invoice.clone(), "More weight".to_owned(), parts, 2);
    assert_eq!((note.total, &note.taxes), (taxable, &invoice.taxes));
}

#[test]
fn the_taxes_of_the_price_tell_a_supply_to_a_unit() {
    let (ours, elsewhere) = ("07AAACR5055K1Z9", "29AAACD1234E1Z9");
    let seller = sample(100, true).seller;
    let tax = |label: &str, paise: i64| PriceLine {
        label: label.to_owned(),
        amount: Paise::new(paise),
        tax: true,
    };
    let igst = || vec![tax("IGST 18 %", 1_800)];
    let two = || vec![tax("CGST 9 %", 900), tax("SGST 9 %", 900)];
    for (confirmed, gstin, taxes, supply) in [
        (ours, ours, vec![tax("IGST 0 %", 0)], Some(SezSupply::WithoutTax)),
        (ours, ours, igst(), Some(SezSupply::WithTax)),
        (elsewhere, elsewhere, igst(), Some(SezSupply::WithTax)),
        // Confirmed after the price was made, and withdrawn after it.
        (ours, ours, two(), None),
        ("", ours, igst(), Some(SezSupply::WithTax)),
        ("", elsewhere, igst(), None),
        ("", "", igst(), None),
    ] {
        let user = User { sez_gstin: confirmed.to_owned(), ..User::default() };
        let told = sez_supply(&seller, &user, gstin, &taxes);
        assert_eq!(told, supply, "{confirmed} {gstin} {taxes:?}");
    }
}

#[test]
fn the_place_of_supply_is_where_the_buyer_is_registered_else_where_goods_are_handed_over() {
    let delhi = place_of_supply("", "110001");
    assert_eq!((delhi.state.as_str(), delhi.gst_code.as_str()), ("Delhi", "07"));
    assert_eq!(place_of_supply("29AAACD1234E1Z9", "110001").state, "Karnataka");
}

#[test]
fn what_is_kept_reads_back_the_same() {
    let invoice = sample(16_188, true);
    let json = serde_json::to_string(&invoice).unwrap();
    assert!(json.contains("\"taxable\":161.88"), "{json}");
    assert_eq!(serde_json::from_str::<Invoice>(&json).unwrap(), invoice);
}

proptest! {
    #[test]
    fn credit_notes_add_up_to_their_invoice_and_can_be_charged_again_tax_by_tax(
        taxable in 1i64..5_000_000,
        within_state in any::<bool>(),
        cuts in proptest::collection::vec(limits::REFUND_PAISE_MIN..1_000_000, 0..6),
    ) {
        let invoice = sample(taxable, within_state);
        let mut before = Paise::ZERO;
        let (mut price, mut taxes) = (Paise::ZERO, vec![Paise::ZERO; invoice.taxes.len()]);
        for cut in cuts.into_iter().chain([i64::from(i32::MAX)]) {
            let after = [before, Paise::new(cut)].into_iter().sum::<Paise>().min(invoice.total);
            let note = reversal(invoice.clone(), before, after, 2);
            let gst: Paise = note.taxes.iter().map(|tax| tax.amount).sum();
            prop_assert_eq!([note.taxable, gst].into_iter().sum::<Paise>(), note.total);
            let lines: Paise = note.lines.iter().map(|line| line.amount).sum();
            prop_assert_eq!(lines, note.taxable);
            prop_assert!(!note.taxable.is_negative() && !gst.is_negative());
            prop_assert!(note.taxes.iter().all(|tax| tax.amount == note.taxes[0].amount));
            let parts = ChargeParts { taxable: note.taxable, gst, courier: Paise::ZERO };
            let again = supplement(invoice.clone(), "Carried".to_owned(), parts, 3);
            prop_assert_eq!((again.taxable, again.total), (note.taxable, note.total));
            prop_assert_eq!(&again.taxes, &note.taxes);
            price = [price, note.taxable].into_iter().sum();
            for (sum, tax) in taxes.iter_mut().zip(&note.taxes) {
                *sum = [*sum, tax.amount].into_iter().sum();
            }
            before = after;
        }
        prop_assert_eq!(price, invoice.taxable);
        let charged: Vec<Paise> = invoice.taxes.iter().map(|tax| tax.amount).collect();
        prop_assert_eq!(taxes, charged);
    }
}
