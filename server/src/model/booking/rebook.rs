//! Repeats a booking: makes a draft in the wizard's terms from its form. Price, numbers and codes
//! are not copied.

use std::collections::BTreeMap;

use crate::model::booking::choices::{BookingType, Choice, PickupLocation};
use crate::model::booking::details::{
    BookingDetails, Consignee, Consignor, Contents, Export, GoodsInvoice, KycInfo, Pickup, Route,
};
use crate::model::booking::draft::{Draft, DraftDocuments, LastKind, RateForm};
use crate::model::money::paise::Paise;

/// A field of the wizard's second step, and its first value.
type Typed = (&'static str, String);

/// The wire's value for a missing company.
const NO_COMPANY: &str = "Individual";

/// Makes a draft with the values of this form.
pub fn draft(form: &BookingDetails) -> Draft {
    Draft {
        rate: rate(form),
        details: Some(typed(form)),
        kyc: kyc(&form.kyc_info),
        ..Draft::default()
    }
}

/// Returns the kind of the booking with this form; `None` if it is missing.
pub fn kind(form: &BookingDetails) -> Option<LastKind> {
    let (booking_type, shipment_type) = (form.route.booking_type?, form.route.shipment_type?);
    Some(LastKind {
        booking_type: number(Some(booking_type)),
        shipment_type: number(Some(shipment_type)),
    })
}

fn rate(form: &BookingDetails) -> RateForm {
    let Route {
        booking_type,
        destination_country_id,
        ..
    } = &form.route;
    RateForm {
        booking_type: number(*booking_type),
        destination_country: match booking_type {
            Some(BookingType::International) => destination_country_id.clone(),
            Some(BookingType::Domestic) | None => String::new(),
        },
        shipment_type: number(form.route.shipment_type),
        origin_pincode: form.route.origin_pincode.clone(),
        destination_pincode: form.route.destination_pincode.clone(),
        weight: form.route.weight.clone(),
        length: form.contents.length.clone(),
        width: form.contents.width.clone(),
        height: form.contents.height.clone(),
        quantity: form.contents.quantity.clone(),
    }
}

/// Returns the form's values. A missing value is left to the wizard's default.
fn typed(form: &BookingDetails) -> BTreeMap<String, String> {
    let parts = [
        consignor(&form.consignor, &form.route),
        consignee(&form.consignee, &form.route),
        package(form, &form.contents),
        invoice(&form.invoice, form),
        pickup(&form.pickup),
        export(&form.export),
    ];
    let told = parts
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn consignor(it: &Consignor, route: &Route) -> Vec<Typed> {
    vec![
        ("consignorName", it.name.clone()),
        ("consignorCompanyName", it.company.clone()),
        ("consignorMobile", it.mobile.to_string()),
        ("consignorEmail", it.email.to_string()),
        ("consignorContactPerson", it.contact_person.clone()),
        ("consignorAddress1", it.address_1.clone()),
        ("consignorAddress2", it.address_2.clone()),
        ("consignorPincode", route.origin_pincode.clone()),
        ("consignorCity", it.city.clone()),
        ("consignorState", it.state.clone()),
        ("consignorPhone", it.phone.to_string()),
        ("consignorDocType", number(it.document_type)),
        ("consignorDocNumber", it.document_number.clone()),
        ("consignorGstNumber", it.gstin.to_string()),
        ("consignorGstApplicable", number(it.gst_applicable)),
        ("consignorTaxPayment", number(it.tax_payment)),
    ]
}

fn consignee(it: &Consignee, route: &Route) -> Vec<Typed> {
    let company = Some(&it.company).filter(|company| *company != NO_COMPANY);
    vec![
        ("consigneeName", it.name.clone()),
        ("consigneeCompanyName", company.cloned().unwrap_or_default()),
        ("consigneePhone", it.phone.to_string()),
        ("tellReceiver", number(it.told_by_sms)),
        ("consigneeEmail", it.email.to_string()),
        ("consigneeContactPerson", it.contact_person.clone()),
        ("consigneeAddress1", it.address_1.clone()),
        ("consigneeAddress2", it.address_2.clone()),
        ("consigneePincode", route.destination_pincode.clone()),
        ("consigneeCity", it.city.clone()),
        ("consigneeState", it.state.clone()),
        ("consigneeStateCode", it.state_code.clone()),
        ("consigneeDocType", number(it.document_type)),
        ("consigneeGstNumber", it.gstin.to_string()),
        ("consigneeReferenceNo", it.reference.clone()),
        ("destinationCountry", route.destination_country.clone()),
    ]
}

fn package(form: &BookingDetails, it: &Contents) -> Vec<Typed> {
    vec![
        ("shipmentType", number(form.route.shipment_type)),
        ("productDesc", form.description.clone()),
        ("packagePcs", it.quantity.clone()),
        ("packageWeight", form.route.weight.clone()),
        ("packageLength", it.length.clone()),
        ("packageWidth", it.width.clone()),
        ("packageHeight", it.height.clone()),
        ("hsnCode", it.hsn.to_string()),
    ]
}

/// Returns the invoice's fields except its date: goods sent today have an invoice of today.
fn invoice(it: &GoodsInvoice, form: &BookingDetails) -> Vec<Typed> {
    vec![
        ("invoiceValue", rupees(form.value())),
        ("invoiceCurrency", form.currency().code().to_owned()),
        ("invoiceNo", it.number.clone()),
        ("custRef", it.reference.clone()),
        ("remark", it.remark.clone()),
    ]
}

/// Returns the pickup's fields; the address only if it is not the sender's.
fn pickup(it: &Pickup) -> Vec<Typed> {
    let mut typed = vec![
        ("pickupRequired", number(it.required)),
        ("pickupLocation", number(it.location)),
        ("pickupReadyStartTime", it.ready_from.clone()),
        ("pickupReadyEndTime", it.ready_until.clone()),
    ];
    if it.location == Some(PickupLocation::Different) {
        typed.extend([
            ("pickupName", it.name.clone()),
            ("pickupPincode", it.pincode.clone()),
            ("pickupCity", it.city.clone()),
            ("pickupState", it.state.clone()),
            ("pickupAddress1", it.address_1.clone()),
            ("pickupAddress2", it.address_2.clone()),
        ]);
    }
    typed
}

fn export(it: &Export) -> Vec<Typed> {
    vec![
        ("taxPaid", number(it.tax_paid)),
        ("taxAmount", rupees(it.tax_amount)),
        ("exportType", number(it.export_type)),
        ("shipperType", number(it.shipper_type)),
        ("msmeId", it.msme_id.clone()),
    ]
}

fn kyc(it: &KycInfo) -> Option<DraftDocuments> {
    let both = !it.document_path_1.is_empty() && !it.document_path_2.is_empty();
    both.then(|| DraftDocuments {
        organization_id: it.organization_id.clone(),
        document_1_id: it.document_id_1.clone(),
        document_2_id: it.document_id_2.clone(),
        document_path_1: it.document_path_1.clone(),
        document_path_2: it.document_path_2.clone(),
    })
}

fn number<T: Choice>(choice: Option<T>) -> String {
    choice.map_or("", T::number).to_owned()
}

fn rupees(amount: Option<Paise>) -> String {
    amount.map_or_else(String::new, Paise::decimal)
}
