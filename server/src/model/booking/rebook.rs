//! A booking once more: the form it was made with, back in the wizard's own words. Price, numbers
//! and codes are not carried over.

use std::collections::BTreeMap;

use Wire::{Contents, Form, Nowhere, Pickup};

use crate::model::booking::draft::{Draft, DraftDocuments, RateForm};
use crate::model::booking::form_text::FormText;

/// Where the wire keeps a field of the wizard's second step.
enum Wire {
    /// Of the form itself.
    Form(&'static str),
    /// Of the first of the things sent.
    Contents(&'static str),
    /// Only told when the courier comes to another place than the sender's.
    Pickup(&'static str),
    /// Not repeated.
    Nowhere,
}

/// The fields of the wizard's second step.
const DETAILS: &[(&str, Wire)] = &[
    ("consignorName", Form("consigner_name")),
    ("consignorCompanyName", Form("consigner_company")),
    ("consignorMobile", Form("consigner_mobile")),
    ("consignorEmail", Form("consigner_email")),
    ("consignorContactPerson", Form("consigner_contact_person")),
    ("consignorAddress1", Form("consigner_address_1")),
    ("consignorAddress2", Form("consigner_address_2")),
    ("consignorPincode", Form("origin_pincode")),
    ("consignorCity", Form("consigner_city")),
    ("consignorState", Form("consigner_state")),
    ("consignorPhone", Form("consigner_phone")),
    ("consignorDocType", Form("consigner_doc_type")),
    ("consignorDocNumber", Form("consigner_doc_number")),
    ("consignorGstNumber", Form("consigner_gst_number")),
    ("consignorGstApplicable", Form("consigner_gst_applicable")),
    ("consignorTaxPayment", Form("consigner_tax_payment")),
    ("consigneeName", Form("consignee_name")),
    ("consigneeCompanyName", Form("consignee_company")),
    ("consigneePhone", Form("consignee_mobile")),
    ("consigneeEmail", Form("consignee_email")),
    ("consigneeContactPerson", Form("consignee_contact_person")),
    ("consigneeAddress1", Form("consignee_address_1")),
    ("consigneeAddress2", Form("consignee_address_2")),
    ("consigneePincode", Form("destination_pincode")),
    ("consigneeCity", Form("consignee_city")),
    ("consigneeState", Form("consignee_state")),
    ("consigneeStateCode", Form("consignee_state_code")),
    ("consigneeDocType", Form("consignee_doc_type")),
    ("consigneeGstNumber", Form("consignee_gst_number")),
    ("consigneeReferenceNo", Form("consignee_reference_no")),
    ("destinationCountry", Form("destination_country")),
    ("shipmentType", Form("shipment_type")),
    ("productDesc", Form("description")),
    ("packagePcs", Contents("quantity")),
    ("packageWeight", Form("weight")),
    ("packageLength", Contents("length")),
    ("packageWidth", Contents("breadth")),
    ("packageHeight", Contents("height")),
    ("hsnCode", Contents("hsn_code")),
    ("invoiceValue", Form("invoice_value")),
    ("invoiceCurrency", Nowhere), // a number on the wire, see below
    ("invoiceNo", Form("booking_invoice_number")),
    ("invoiceDate", Nowhere), // goods sent today have an invoice of today
    ("custRef", Form("customer_reference")),
    ("remark", Form("remark")),
    ("pickupRequired", Form("pickup_required")),
    ("pickupLocation", Form("pickup_location")),
    ("pickupName", Pickup("pickup_name")),
    ("pickupPincode", Pickup("pickup_pincode")),
    ("pickupCity", Pickup("pickup_city")),
    ("pickupState", Pickup("pickup_state")),
    ("pickupAddress1", Pickup("pickup_address_1")),
    ("pickupAddress2", Pickup("pickup_address_2")),
    ("pickupReadyStartTime", Form("pickup_ready_start_time")),
    ("pickupReadyEndTime", Form("pickup_ready_end_time")),
    ("taxPaid", Form("tax_paid")),
    ("taxAmount", Form("tax_amount")),
    ("exportType", Form("export_type")),
    ("shipperType", Form("shipper_type")),
    ("msmeId", Form("msme_id")),
];

/// What the wire says where no company was given.
const NO_COMPANY: &str = "Individual";

/// Whether the wizard's second step has a field of this name.
pub fn is_detail(name: &str) -> bool {
    DETAILS.iter().any(|&(detail, _)| detail == name)
}

/// A draft that begins where this form ended.
pub fn draft(details: &str) -> Draft {
    let form = FormText::read(details);
    Draft {
        rate: rate(&form),
        details: Some(typed(&form)),
        kyc: kyc(&form),
        ..Draft::default()
    }
}

fn rate(form: &FormText) -> RateForm {
    let international = form.get("booking_type") == "1";
    RateForm {
        booking_type: form.get("booking_type"),
        destination_country: match international {
            true => form.get("destination_country_id"),
            false => String::new(),
        },
        shipment_type: form.get("shipment_type"),
        origin_pincode: form.get("origin_pincode"),
        destination_pincode: form.get("destination_pincode"),
        weight: form.get("weight"),
        length: form.of_contents("length"),
        quantity: form.of_contents("quantity"),
    }
}

/// What was told; what was not keeps the wizard's own beginning.
fn typed(form: &FormText) -> BTreeMap<String, String> {
    let elsewhere = form.get("pickup_location") == "2";
    let told = |wire: &Wire| match wire {
        Form(name) => form.get(name),
        Contents(name) => form.of_contents(name),
        Pickup(name) if elsewhere => form.get(name),
        Pickup(_) | Nowhere => String::new(),
    };
    let mut typed: BTreeMap<String, String> = DETAILS
        .iter()
        .map(|(name, wire)| ((*name).to_owned(), told(wire)))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    typed.retain(|name, value| name != "consigneeCompanyName" || value != NO_COMPANY);
    typed.insert("invoiceCurrency".to_owned(), form.currency().to_owned());
    typed
}

fn kyc(form: &FormText) -> Option<DraftDocuments> {
    let kyc = DraftDocuments {
        // The spelling is the wire's.
        organization_id: form.of_kyc("orgnization_id"),
        document_1_id: form.of_kyc("document_id_1"),
        document_2_id: form.of_kyc("document_id_2"),
        document_path_1: form.of_kyc("document_path_1"),
        document_path_2: form.of_kyc("document_path_2"),
    };
    (!kyc.document_path_1.is_empty() && !kyc.document_path_2.is_empty()).then_some(kyc)
}
