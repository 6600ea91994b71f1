// Made by ./build.sh wire from the server's types: not to be edited.
export const CANCEL_DAYS_MAX = 15;
export const EWAY_BILL_ABOVE_PAISE = 5000000;
export const KYC_FILE_BYTES_MAX = 2097152;
export const KYC_KEPT_DAYS = 180;
export const LOCAL_PATH_BYTES_MAX = 500;
export const PASSWORD_CHARS_MIN = 6;
export const RECHARGE_MIN_RUPEES = 10;
export const SIDE_CM_MAX = 1000;
export const STATEMENT_LINES_MAX = 10000;
export const WEIGHT_DISPUTE_CHARS_MAX = 500;
export const WEIGHT_GRAMS_MAX = 1000000;
export const WEIGHT_GRAMS_MIN = 100;
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AccountData: {
      activity: components["schemas"]["Activity"][];
      agreements: components["schemas"]["Agreement"][];
      form: null | components["schemas"]["FormState"];
      letter_language: components["schemas"]["Language"];
      letters: components["schemas"]["LetterChoices"];
      /** @description The form that was refused, by name. */
      part: string;
      /** @description A code is on its way to the phone. */
      phone_code_sent: boolean;
      sessions: components["schemas"]["LoggedInAt"][];
    };
    Activities: {
      agreements: components["schemas"]["Agreement"][];
      results: components["schemas"]["Activity"][];
    };
    /** @description An event as its customer sees it. */
    Activity: {
      address: string;
      /** Format: int64 */
      at: number;
      /** @description Browser and system, in words; empty for what an operator did. */
      device: string;
      /** @description A sentence about the event. */
      text: string;
    };
    AddressesData: {
      form: null | components["schemas"]["FormState"];
      /** @description The form that was refused: the entry's id, or the kind of a new one. */
      part: string;
      presets: components["schemas"]["Preset"][];
    };
    /** @description Limits of an address, which couriers take in two lines (characters). */
    AddressLimits: {
      /** @description Of both lines together. */
      both: number;
      line: number;
    };
    /**
     * @description A text that is agreed to.
     * @enum {string}
     */
    Agreed: "terms" | "privacy";
    /** @description An agreement as its customer sees it. */
    Agreement: {
      /** Format: int64 */
      agreed_at: number;
      document: components["schemas"]["Agreed"];
      /** @description A day, as in `2026-11-23`. */
      version: string;
    };
    /** @enum {string} */
    AlertKind: "success" | "error";
    /** @description The secret for an authenticator app. */
    AppSecret: {
      /** @description Its dark modules as an SVG path, in which a module is 1 by 1. */
      qr_path: string;
      /** @description The QR code's modules along one side. */
      qr_side: number;
      /** @description To be typed, in groups of four. */
      secret: string;
      /** @description Opens the app on the same device; the QR code says the same. */
      uri: string;
    };
    /** @description A message shown on arrival. */
    Arrival: components["schemas"]["Notice"] & {
      /**
       * @description The parameter that asked for it. The browser takes it out of the address, so that loading
       *     the page again says nothing again.
       */
      asked_by: string;
    };
    /** @description A payment that was credited a moment ago. */
    ArrivedPayment: {
      amount: components["schemas"]["Rupees"];
      merchant_order_id: string;
    };
    /** @description A confirmation whose answer has not come: its key, and which body it was for. */
    Attempt: {
      body: string;
      key: string;
    };
    Balance: {
      balance: components["schemas"]["Rupees"];
      owed?: null | components["schemas"]["Rupees"];
    };
    /** @description A parcel that cannot be asked for, and why. */
    BarredParcel: {
      bar: components["schemas"]["PickupBar"];
      parcel: components["schemas"]["PickupParcel"];
      /** @description The state of its pickup; empty without one. */
      sentence: string;
    };
    Booked: {
      data: components["schemas"]["BookedShipment"][];
      message: string;
      /** @description Set when the same body came a moment ago: this is its booking. */
      repeated?: boolean;
    };
    /** @description A fact of a booking's form with the form's own name for it. */
    BookedFact: {
      label: string;
      value: string;
    };
    /** @description One end of the way. Every text may be empty. */
    BookedParty: {
      /** @description Street and house, and then city, state and code, abroad with the country. */
      address: string[];
      company: string;
      email: string;
      name: string;
      phone: string;
    };
    /** @description Where the courier fetches it. */
    BookedPickup: {
      is_wanted: boolean;
      /** @description Another place than the sender's; empty when it is the same. */
      place: string[];
      /** @description As in `09:30`; empty when it is not known. */
      ready_from: string;
      ready_until: string;
    };
    /** @description A booked shipment as its confirmation answers it. */
    BookedShipment: {
      airwaybilno: string;
      amount: components["schemas"]["Rupees"];
      /** @description The balance afterwards. */
      balance: components["schemas"]["Rupees"];
      booking_id: string;
      /** @description The label. */
      dispatch_url: string;
      /** @description A sentence about the pickup or drop-off of the parcel. */
      handover: string;
      invoice_url: string;
      /** @description The courier's number of the pickup, or ours; empty if the parcel is handed in. */
      pickup_id: string;
      /** @description A warning for before the parcel leaves; absent if there is none. */
      warning?: string;
    };
    /** @description A booking in the history. */
    Booking: {
      amount: components["schemas"]["Rupees"];
      awb_number: string;
      /** Format: int64 */
      booking_date: number;
      consignee_name: string;
      consignee_pincode: string;
      /** Format: int64 */
      created_at: number;
      destination: string;
      destination_city: string;
      id: string;
      origin: string;
      origin_city: string;
      pickup?: null | components["schemas"]["PickupLine"];
      product_name: string;
      rate: components["schemas"]["Rupees"];
      status: components["schemas"]["BookingStatus"];
      weight: number;
    };
    BookingForm: {
      booking_invoice_date?: components["schemas"]["Text"];
      booking_invoice_number?: components["schemas"]["Text"];
      booking_type: components["schemas"]["Text"];
      city?: components["schemas"]["Text"];
      consignee_address_1: components["schemas"]["Text"];
      consignee_address_2?: components["schemas"]["Text"];
      consignee_city: components["schemas"]["Text"];
      consignee_company?: components["schemas"]["Text"];
      consignee_contact_person?: components["schemas"]["Text"];
      consignee_doc_type?: components["schemas"]["Text"];
      consignee_email?: components["schemas"]["Text"];
      consignee_gst_number?: components["schemas"]["Text"];
      consignee_mobile: components["schemas"]["Text"];
      consignee_name: components["schemas"]["Text"];
      consignee_pincode?: components["schemas"]["Text"];
      consignee_reference_no?: components["schemas"]["Text"];
      consignee_state?: components["schemas"]["Text"];
      consignee_state_code?: components["schemas"]["Text"];
      consigner_address_1: components["schemas"]["Text"];
      consigner_address_2?: components["schemas"]["Text"];
      consigner_city?: components["schemas"]["Text"];
      consigner_company?: components["schemas"]["Text"];
      consigner_contact_person?: components["schemas"]["Text"];
      consigner_doc_number?: components["schemas"]["Text"];
      consigner_doc_type?: components["schemas"]["Text"];
      consigner_email?: components["schemas"]["Text"];
      consigner_gst_applicable?: components["schemas"]["Text"];
      consigner_gst_number?: components["schemas"]["Text"];
      consigner_mobile: components["schemas"]["Text"];
      consigner_name: components["schemas"]["Text"];
      consigner_phone?: components["schemas"]["Text"];
      consigner_pincode?: components["schemas"]["Text"];
      consigner_state?: components["schemas"]["Text"];
      consigner_tax_payment?: components["schemas"]["Text"];
      courier_id?: components["schemas"]["Text"];
      courier_name?: components["schemas"]["Text"];
      customer_reference?: components["schemas"]["Text"];
      description: components["schemas"]["Text"];
      destination_country?: components["schemas"]["Text"];
      destination_country_id?: components["schemas"]["Text"];
      destination_pincode?: components["schemas"]["Text"];
      draft_id?: components["schemas"]["Text"];
      eway_bill?: components["schemas"]["Text"];
      export_type?: components["schemas"]["Text"];
      invoice_value?: components["schemas"]["Text"];
      /** @description ignored: the invoice for customs is made of the other fields */
      invoiceData?: {
        [key: string]: unknown;
      };
      kyc_info?: {
        document_id_1?: components["schemas"]["Text"];
        document_id_2?: components["schemas"]["Text"];
        document_path_1?: components["schemas"]["Text"];
        document_path_2?: components["schemas"]["Text"];
        orgnization_id?: components["schemas"]["Text"];
      };
      msme_id?: components["schemas"]["Text"];
      origin_pincode: components["schemas"]["Text"];
      otp?: components["schemas"]["Text"];
      pickup_address_1?: components["schemas"]["Text"];
      pickup_address_2?: components["schemas"]["Text"];
      pickup_city?: components["schemas"]["Text"];
      pickup_location?: components["schemas"]["Text"];
      pickup_name?: components["schemas"]["Text"];
      pickup_pincode?: components["schemas"]["Text"];
      pickup_ready_end_time?: components["schemas"]["Text"];
      pickup_ready_start_time?: components["schemas"]["Text"];
      pickup_required?: components["schemas"]["Text"];
      pickup_state?: components["schemas"]["Text"];
      pickup_when?: components["schemas"]["Text"];
      quote_id?: components["schemas"]["Text"];
      remark?: components["schemas"]["Text"];
      shipment_dimensions?:
        | {
            breadth?: components["schemas"]["Text"];
            height?: components["schemas"]["Text"];
            hsn_code?: components["schemas"]["Text"];
            item_description?: components["schemas"]["Text"];
            length?: components["schemas"]["Text"];
            quantity?: components["schemas"]["Text"];
            value?: components["schemas"]["Text"];
            weight?: components["schemas"]["Text"];
          }[]
        | {
            breadth?: components["schemas"]["Text"];
            height?: components["schemas"]["Text"];
            hsn_code?: components["schemas"]["Text"];
            item_description?: components["schemas"]["Text"];
            length?: components["schemas"]["Text"];
            quantity?: components["schemas"]["Text"];
            value?: components["schemas"]["Text"];
            weight?: components["schemas"]["Text"];
          };
      shipment_type?: components["schemas"]["Text"];
      shipper_type?: components["schemas"]["Text"];
      tax_amount?: components["schemas"]["Text"];
      tax_paid?: components["schemas"]["Text"];
      tell_receiver?: components["schemas"]["Text"];
      unit?: {
        currency?: components["schemas"]["Text"];
        length_unit?: components["schemas"]["Text"];
        weight_unit?: components["schemas"]["Text"];
      };
      weight: components["schemas"]["Text"];
    };
    /** @description The screen's content: one of these. */
    BookingsData: {
      booking: null | components["schemas"]["BookingView"];
      chosen: null | components["schemas"]["ChosenBookings"];
      list: null | components["schemas"]["BookingsList"];
      pickups: null | components["schemas"]["ChosenPickups"];
    };
    /** @description A page of the bookings that were looked for, newest first. */
    BookingsFound: {
      /**
       * Format: int64
       * @description Number of bookings on all pages, where it is known at once.
       */
      count: number | null;
      couriers: components["schemas"]["CourierChoice"][];
      /** @description The next page begins there. */
      next: string | null;
      results: components["schemas"]["Booking"][];
      /**
       * Format: int64
       * @description Only bookings since then were looked through for this page; `next` looks further.
       */
      searched_since: number | null;
    };
    /** @description The list, and what was wrong with its filter or with what was to be done. */
    BookingsList: {
      errors: components["schemas"]["FieldError"][];
      found: components["schemas"]["BookingsFound"];
      refused: string | null;
    };
    /** @enum {string} */
    BookingStatus:
      | "pending"
      | "failed"
      | "cancelling"
      | "booked"
      | "shipped"
      | "in_transit"
      | "out_for_delivery"
      | "on_hold"
      | "exception"
      | "delivered"
      | "returning"
      | "returned"
      | "cancelled"
      | "unknown";
    /** @description One booking, whole. */
    BookingView: {
      booking: components["schemas"]["Booking"];
      /** @description True if our own driver may have fetched it: an operator decides about a cancellation. */
      cancel_by_request?: boolean;
      /** @description True if it was cancelled, carried all the same, and charged again with a debit note. */
      charged_again?: boolean;
      contents: components["schemas"]["BookedFact"][];
      debt_paid?: null | components["schemas"]["Rupees"];
      /**
       * @description A sentence about its pickup or drop-off; null while no courier has accepted it, and once
       *     it was picked up or cancelled.
       */
      handover: string | null;
      /** @description True if a cancellation can be requested now. */
      may_cancel: boolean;
      /** @description The day of the newest of these in India, and of the oldest: the statement's filter. */
      paid_between: [string, string] | null;
      /** @description Wallet transactions of this booking, newest first. */
      payments: components["schemas"]["Transaction"][];
      pickup: components["schemas"]["BookedPickup"];
      /** @description The times that may be asked for now; none when it does not wait to be fetched. */
      pickup_choices: components["schemas"]["PickupChoice"][];
      planned_pickup: null | components["schemas"]["PlannedPickup"];
      /** @description As it was quoted: every line of the price. */
      price: components["schemas"]["RateBreakdown"];
      receiver: components["schemas"]["BookedParty"];
      /** @description No more than the customer's own references and the numbers' endings. */
      references: components["schemas"]["BookedFact"][];
      sender: components["schemas"]["BookedParty"];
      tracked: null | components["schemas"]["Tracked"];
    };
    CalculateData: {
      countries: components["schemas"]["Country"][] | null;
      ends: null | components["schemas"]["Ends"];
      error: string | null;
      errors: components["schemas"]["FieldError"][];
      form: {
        [key: string]: string;
      } | null;
      notes: string[];
      rates: components["schemas"]["RateOption"][] | null;
    };
    Cancelled: {
      balance: components["schemas"]["Rupees"];
      debt_paid?: null | components["schemas"]["Rupees"];
      message: string;
    };
    ChosenBooking: {
      booking: components["schemas"]["Booking"];
      /** @description True if our own driver may have fetched it: an operator decides about a cancellation. */
      by_request?: boolean;
      debt_paid?: null | components["schemas"]["Rupees"];
      end: null | components["schemas"]["ChosenEnd"];
    };
    ChosenBookings: {
      bookings: components["schemas"]["ChosenBooking"][];
      wanted: components["schemas"]["ChosenFor"];
    };
    /**
     * @description The result for one booking.
     * @enum {string}
     */
    ChosenEnd:
      | "cancelled"
      | "asked"
      | "requested"
      | "too_late"
      | "later"
      | "couriers_label"
      | "not_yet"
      | "no_label";
    /**
     * @description The action requested for the bookings.
     * @enum {string}
     */
    ChosenFor: "cancel" | "cancelled" | "labels";
    /** @description The chosen parcels, by who fetches them and where, and those that nobody can be asked to fetch. */
    ChosenPickups: {
      barred: components["schemas"]["BarredParcel"][];
      groups: components["schemas"]["PickupGroup"][];
    };
    /** @description A service for a shipment, and what is known of both of its ends. */
    ChosenService: {
      country_name: string;
      destination: components["schemas"]["Zipcode"];
      origin: components["schemas"]["Zipcode"];
      rate: components["schemas"]["RateOption"];
      values: components["schemas"]["RateForm"];
    };
    /** @description The password was right; the session begins with the code. */
    CodeWanted: {
      /** @description To be sent back with the code within five minutes; a browser has it as a cookie. */
      challenge: string;
      message: string;
    };
    /** @description The operator, as invoices, footers and policies name it. */
    Company: {
      address: string;
      /** @description City whose courts have jurisdiction. */
      city: string;
      email: string;
      gstin: string;
      name: string;
      phone: string;
      state: string;
    };
    /** @description A country as lists show it. */
    Country: {
      /** @description ISO 3166-1 alpha-3, and other names in Latin letters, with bars between. */
      also: string;
      /**
       * Format: int32
       * @description From 1 to 10 for the commonest destinations, in their order; left out for others.
       */
      common?: number | null;
      country_code: string;
      /** Format: int64 */
      country_id: number;
      country_name: string;
      /** @description Addresses there may do without a postal code; told only where it is so. */
      postal_code_optional?: boolean;
    };
    /** @description A courier to choose by. */
    CourierChoice: {
      code: string;
      /** @description As people write it. */
      name: string;
    };
    /** @description Data of the booking wizard. */
    CourierData: {
      /** @description For a browser without JavaScript, which chooses a country from what is in the page. */
      countries: components["schemas"]["Country"][] | null;
      draft: components["schemas"]["KeptDraft"];
      /** @description Documents uploaded before, at the step that asks for some. */
      earlier?: components["schemas"]["EarlierUpload"][] | null;
      form?: null | components["schemas"]["FormState"];
      otp?: null | components["schemas"]["OtpStep"];
      /** @description The times that a pickup may be asked for, by `pickup_hours` of a service. */
      pickups: {
        [key: string]: components["schemas"]["PickupChoice"][];
      };
      presets: components["schemas"]["Preset"][];
      priced?: null | components["schemas"]["Priced"];
      waiting?: null | components["schemas"]["WaitingDraft"];
    };
    /** @description A service as the list of couriers names it. */
    CourierDetail: {
      /** Format: int64 */
      product_id: number;
      product_name: string;
    };
    DashboardData: {
      balance: components["schemas"]["Rupees"];
      bookings: components["schemas"]["History"];
      draft?: null | components["schemas"]["WaitingDraft"];
      owed?: null | components["schemas"]["Rupees"];
      /** Format: int64 */
      page: number;
      tab: components["schemas"]["DashboardTab"];
      transactions: null | components["schemas"]["Listed_Transaction"];
      transactions_error: string | null;
    };
    /** @enum {string} */
    DashboardTab: "overview" | "bookings" | "transactions";
    /** @description Lists are wrapped in `data`. */
    Data_CourierDetail: {
      data: {
        /** Format: int64 */
        product_id: number;
        product_name: string;
      }[];
    };
    /** @description Lists are wrapped in `data`. */
    Data_EarlierUpload: {
      data: (components["schemas"]["UploadedDocuments"] & {
        /** Format: int64 */
        created_at: number;
        document_1: string;
        /** Format: int64 */
        document_1_id: number;
        document_2: string;
        /** Format: int64 */
        document_2_id: number;
        organization: string;
        /** Format: int64 */
        organization_id: number;
      })[];
    };
    /** @description Lists are wrapped in `data`. */
    Data_Zipcode: {
      data: {
        /** @description Empty abroad, and for a PIN code that is in no list: the customer types it. */
        city_area: string;
        state: string;
        state_code: string;
        /**
         * @description The PIN code is in no list, but in a known sorting district: the state and the prices are
         *     the district's. Told only where it is so.
         */
        unlisted?: boolean;
      }[];
    };
    /** @description A change, and the revision that it builds on. */
    DraftChange: {
      /** @default null */
      content?: null | components["schemas"]["DraftContent"];
      /**
       * Format: int64
       * @default 0
       */
      revision?: number;
    };
    /** @description The wizard's saved state. Never an OTP. */
    DraftContent: {
      /** @default null */
      attempt: null | components["schemas"]["Attempt"];
      /** @default null */
      chosen: null | components["schemas"]["ChosenService"];
      /**
       * @description The input of step 2, under the form's own names.
       * @default null
       */
      details: {
        [key: string]: string;
      } | null;
      /**
       * @description Chosen at random by the wizard that began it. A draft is booked once.
       * @default
       */
      id?: string;
      /** @default null */
      kyc: null | components["schemas"]["DraftDocuments"];
      /** @default null */
      old_price: null | components["schemas"]["Rupees"];
      /** @default null */
      quote: null | components["schemas"]["RateOption"];
      /**
       * @default {
       *       "booking_type": "",
       *       "destination_country": "",
       *       "shipment_type": "",
       *       "origin_pincode": "",
       *       "destination_pincode": "",
       *       "city": "",
       *       "weight": "",
       *       "length": "",
       *       "width": "",
       *       "height": "",
       *       "quantity": ""
       *     }
       */
      rate: components["schemas"]["RateForm"];
      /** @default rate */
      step: components["schemas"]["Step"];
    };
    /** @description Identity documents that were uploaded for it. */
    DraftDocuments: {
      document_1_id: string;
      document_2_id: string;
      document_path_1: string;
      document_path_2: string;
      organization_id: string;
    };
    DraftSaved: {
      /** Format: int64 */
      revision: number;
    };
    /** @description An earlier upload that can be used again. */
    EarlierUpload: components["schemas"]["UploadedDocuments"] & {
      /** Format: int64 */
      created_at: number;
      document_1: string;
      /** Format: int64 */
      document_1_id: number;
      document_2: string;
      /** Format: int64 */
      document_2_id: number;
      organization: string;
      /** Format: int64 */
      organization_id: number;
    };
    /** @description Where a shipment goes from and to, as the draft keeps it. */
    Ends: {
      country_name: string;
      destination: components["schemas"]["Zipcode"];
      origin: components["schemas"]["Zipcode"];
    };
    ErrorContext: {
      description: string;
    };
    /** @description The error of one field of a form or a JSON body. */
    FieldError: {
      /** @description The sentence to show beside it. */
      message: string;
      /** @description The field's name on the wire. */
      path: string;
    };
    ForgottenData: {
      form: null | components["schemas"]["FormState"];
      /** @description Where the sandbox shows the messages it does not send. */
      inbox_url: string | null;
    };
    /** @description The request for a reset link, as it comes over the wire. */
    ForgottenPassword: {
      /** @default  */
      username: components["schemas"]["Text"];
    };
    /** @description Input of a form that was refused. Never a password. */
    FormState: {
      errors: components["schemas"]["FieldError"][];
      message: string;
      values: {
        [key: string]: string;
      };
    };
    /**
     * @description Who answers complaints: rule 4 of the Consumer Protection (E-Commerce) Rules, 2020, asks for the
     *     name and how to reach the officer on the platform.
     */
    GrievanceOfficer: {
      email: string;
      name: string;
      phone: string;
    };
    HelpData: {
      officer: components["schemas"]["GrievanceOfficer"];
    };
    /** @description A page of bookings with counts over all of them. */
    History: {
      /** Format: int64 */
      count: number;
      /** @description The last months, oldest first, the present one included. */
      months: components["schemas"]["Month"][];
      results: components["schemas"]["Booking"][];
      stats: components["schemas"]["Stats"];
    };
    /** @description An identity check as it comes over the wire. */
    Identity: {
      /**
       * @description Where two-step login is on.
       * @default
       */
      code?: string;
      /** @default  */
      current_password: string;
      /**
       * @description A passkey's word in place of both: what `auth/passkeys/confirm` asked for, as JSON.
       * @default
       */
      passkey?: string;
    };
    /** @description A draft as its customer gets it. */
    KeptDraft: {
      booked: null | components["schemas"]["BookedShipment"];
      content: null | components["schemas"]["DraftContent"];
      /** @description The quote does not hold any more: the shipment has to be priced again. */
      expired: boolean;
      last: null | components["schemas"]["LastKind"];
      /** @description It was confirmed, and its courier has not answered yet. */
      pending: boolean;
      /** @description Once it is saved, another draft is gone. */
      replaces: boolean;
      /**
       * Format: int64
       * @description One more with every change; zero when there never was a draft.
       */
      revision: number;
    };
    /** @description The upload form. A missing file is `None`. */
    KycUpload: {
      /** Format: binary */
      document_1: string;
      document_1_id: components["schemas"]["Text"];
      /** Format: binary */
      document_2: string;
      document_2_id: components["schemas"]["Text"];
      organization_id: components["schemas"]["Text"];
    };
    KycUploaded: {
      data: components["schemas"]["UploadedDocuments"];
      message: string;
      /** Format: int32 */
      statusCode: number;
    };
    /**
     * @description The language of the interface.
     * @enum {string}
     */
    Language: "en" | "hi";
    /** @description The kinds of the last booking, in the numbers of the rate calculator. */
    LastKind: {
      booking_type: string;
      shipment_type: string;
    };
    /** @description Letters a customer gets, besides those about security and money. */
    LetterChoices: {
      /** @description Under this the wallet is low (rupees). */
      low_balance_below: components["schemas"]["Rupees"];
      topics: components["schemas"]["TopicChoice"][];
    };
    /** @description One letter, whole: all that its HTML and its plain text say. */
    LetterData: {
      /** @description The sender and the address to write to. */
      company: string;
      email: string;
      /** @description Why it came, and how it is switched off. */
      footer: components["schemas"]["LetterPart"][];
      heading: string;
      language: components["schemas"]["Language"];
      parts: components["schemas"]["LetterPart"][];
    };
    /** @description A line of a table: of a price, or of what happened. */
    LetterFact: {
      /** @description The lines above add up to it. */
      is_total: boolean;
      label: string;
      value: string;
    };
    /** @description The parts of a letter, from top to bottom. */
    LetterPart:
      | {
          /** @enum {string} */
          kind: "text";
          text: string;
        }
      | {
          /** @enum {string} */
          kind: "button";
          label: string;
          url: string;
        }
      | {
          /** @enum {string} */
          kind: "link";
          label: string;
          url: string;
        }
      | {
          facts: components["schemas"]["LetterFact"][];
          /** @enum {string} */
          kind: "facts";
        };
    LettersOffData: {
      account: string;
      /** @description Subject of the letters that were switched off just now. */
      done: string;
      /** @description Why the link is good for nothing. */
      message: string;
      of: string;
      seal: string;
      /** @description Subject of the letters that the button switches off; empty without a button. */
      topic: string;
    };
    /**
     * @description Topics of letters that customers may switch off, one by one. Letters about security or about
     *     money that moved have none of these topics.
     * @enum {string}
     */
    LetterTopic: "booked" | "progress" | "trouble" | "low_balance";
    /** @description A part of a list with the count of the whole. */
    Listed_Transaction: {
      /** Format: int64 */
      count: number;
      results: {
        amount: components["schemas"]["Rupees"];
        balance_after: components["schemas"]["Rupees"];
        /** Format: int64 */
        created_at: number;
        description: string;
        id: string;
        /** @description The page about what was paid. */
        link: string | null;
        /** @description The document to download. */
        receipt: string | null;
        status: string;
        transaction_type: string;
      }[];
    };
    /** @description A path of ours with its query, such as `/courier?resume=1`. */
    LocalPath: string;
    /** @description One place where the user is logged in. */
    LoggedInAt: {
      /** Format: int64 */
      created_at: number;
      /** @description The one that asks. */
      current: boolean;
      device: string;
      /** @description Names the session and is no credential. */
      id: string;
      /**
       * Format: int64
       * @description True to the minute.
       */
      last_seen_at: number;
    };
    /** @description A login as it comes over the wire. */
    Login: {
      /** @default  */
      password: string;
      /** @default  */
      username: components["schemas"]["Text"];
    };
    LoginAnswer: {
      tokens: components["schemas"]["Tokens"];
      user: components["schemas"]["User"];
    };
    /** @description The second step of a login, as it comes over the wire. */
    LoginCode: {
      /**
       * @description The answer of the first step; a browser has it as a cookie.
       * @default
       */
      challenge?: string;
      /**
       * @description From the authenticator app, or a recovery code.
       * @default
       */
      code: string;
    };
    LoginCodeData: {
      form: null | components["schemas"]["FormState"];
      next: null | components["schemas"]["LocalPath"];
    };
    LoginData: {
      form: null | components["schemas"]["FormState"];
      next: null | components["schemas"]["LocalPath"];
    };
    Message: {
      message: string;
    };
    /** @description Bookings of one calendar month in India, without cancelled ones. */
    Month: {
      amount: components["schemas"]["Rupees"];
      /** Format: int64 */
      bookings: number;
      /** @description As in `2026-11`. */
      month: string;
    };
    /** @description A passkey that is to be added, and who asks. */
    NewPasskey: {
      /**
       * @description Where two-step login is on.
       * @default
       */
      code?: string;
      /** @default  */
      current_password: string;
      /** @default  */
      name: components["schemas"]["Text"];
      /**
       * @description A passkey's word in place of both.
       * @default
       */
      passkey?: string;
    };
    /** @description The bookings to fetch together, and when. */
    NewPickup: {
      /** @description Ids or AWB numbers, all of one courier and at one address. */
      bookings: components["schemas"]["Text"][];
      /** @description On India's clocks, as in `2026-11-26 10:00`. */
      when?: components["schemas"]["Text"];
    };
    /** @description A preset to be saved, as it comes over the wire. */
    NewPreset: {
      fields: {
        [key: string]: string;
      };
      kind: components["schemas"]["PresetKind"];
      /** @description Empty: one is made from the fields. */
      name?: components["schemas"]["Text"];
    };
    /** @description A sentence for the customer, and whether it went well. */
    Notice: {
      kind: components["schemas"]["AlertKind"];
      text: string;
    };
    OrderCreated: {
      message: string;
      payment_data: components["schemas"]["PaymentData"];
      success: boolean;
    };
    /** @description The step that asks for a code. */
    OtpStep: {
      /** @description Where the sandbox shows the messages it does not send. */
      inbox_url: string | null;
    };
    /** @description The data from which server and browser draw a page. */
    PageData: {
      alert: null | components["schemas"]["Arrival"];
      company: components["schemas"]["Company"];
      /** @description Data of this screen only; null when it has none. */
      data: unknown;
      language: components["schemas"]["Language"];
      /** @description True if browsers make passkeys for this site. */
      passkeys: boolean;
      path: string;
      query: {
        [key: string]: string;
      };
      sandbox: boolean;
      screen: components["schemas"]["Screen"];
      /** @description The document's title without our name, where it is not the screen's. */
      title?: string | null;
      /** @description The day in India, as in `2026-11-21`. */
      today: string;
      user: null | components["schemas"]["User"];
    };
    /** @description The address at which the visit goes on. */
    PageRedirect: {
      redirect: string;
    };
    /** @description A passkey as its owner sees it. */
    Passkey: {
      /** Format: int64 */
      created_at: number;
      id: string;
      /** Format: int64 */
      last_used_at: number | null;
      name: string;
    };
    /** @description An authenticator's answer. */
    PasskeyAnswer: {
      /** @default  */
      challenge: string;
      /** @description A `PublicKeyCredential` of WebAuthn, as JSON. */
      credential: Record<string, never>;
      /**
       * @description It is the second step of a login, whose password was right in this browser.
       * @default false
       */
      second_step?: boolean;
    };
    /** @description Options that a browser passes on to an authenticator. */
    PasskeyAsked: {
      /** @description To be sent back with the answer, within five minutes; good for one. */
      challenge: string;
      /** @description `PublicKeyCredentialCreationOptions` or `…RequestOptions` of WebAuthn, as JSON. */
      options: Record<string, never>;
    };
    Passkeys: {
      results: components["schemas"]["Passkey"][];
    };
    PasskeysData: {
      form: null | components["schemas"]["FormState"];
      passkeys: components["schemas"]["Passkey"][];
    };
    /** @description The current password and the one chosen, as they come over the wire. */
    PasswordChange: {
      /**
       * @description Where two-step login is on.
       * @default
       */
      code?: string;
      /** @default  */
      current_password: string;
      /**
       * @description Filled in: passkeys and the rest that was added lately stay.
       * @default
       */
      keep?: string;
      /**
       * @description A passkey's word in place of both.
       * @default
       */
      passkey?: string;
      /** @default  */
      password: string;
      /** @default  */
      password_confirm: string;
    };
    /** @description The link's token and the password chosen. */
    PasswordReset: {
      /**
       * @description Filled in: passkeys, two-step login and the rest that was added lately stay.
       * @default
       */
      keep?: string;
      /** @default  */
      password: string;
      /** @default  */
      password_confirm: string;
      /** @default  */
      token: string;
    };
    /** @description The answer to creating a recharge. */
    PaymentData: {
      merchant_order_id: string;
      order_id: string;
      redirect_url: string;
    };
    /** @description The order's number. */
    PaymentMeant: {
      /** @default  */
      merchant_order_id: components["schemas"]["Text"];
    };
    /**
     * @description A payment as its customer is told of it.
     * @enum {string}
     */
    PaymentOutcome: "COMPLETED" | "PENDING" | "FAILED";
    PaymentPageData: {
      merchant_order_id: string | null;
      result: null | components["schemas"]["VerifyResult"];
    };
    /** @description A payment the gateway has not decided, as lists show it. */
    PendingPayment: {
      amount: components["schemas"]["Rupees"];
      /** @description Where to go on paying; `None` when the time for it is over. */
      continue_url: string | null;
      /** Format: int64 */
      created_at: number;
      /** Format: int64 */
      expires_at: number;
      merchant_order_id: string;
    };
    /** @description Payments the gateway has not decided. */
    PendingPayments: {
      results: components["schemas"]["PendingPayment"][];
    };
    /**
     * @description Why a parcel cannot be asked for.
     * @enum {string}
     */
    PickupBar: "not_yet" | "too_late" | "planned";
    PickupCalledOff: {
      pickup: null | components["schemas"]["PlannedPickup"];
    };
    /** @description A time to choose. */
    PickupChoice: {
      /**
       * Format: int64
       * @description Time until which it can be chosen; left out for later days.
       */
      closes_at?: number | null;
      /** Format: int64 */
      from_at: number;
      /** Format: int64 */
      until_at: number;
      /** @description The value sent when it is chosen: `2026-11-26 10:00`. */
      when: string;
    };
    /** @description Parcels of one courier at one address, which are fetched together. */
    PickupGroup: {
      bookings: components["schemas"]["PickupParcel"][];
      /** @description The times to choose from; null where no pickup can be requested any more. */
      choices: components["schemas"]["PickupChoice"][];
      /** @description The courier's name, as people write it. */
      courier: string;
      /** @description Why it was not asked for; else empty. */
      error: string;
      /** @description The name of its choice in the form. */
      key: string;
      /** @description Where they are fetched. */
      place: string[];
      planned: null | components["schemas"]["PlannedPickup"];
    };
    /** @description When a parcel is fetched. */
    PickupLine: {
      /** Format: int64 */
      from_at: number;
      state: components["schemas"]["PickupStanding"];
      /** Format: int64 */
      until_at: number;
    };
    /** @description A parcel, by what its sender knows it by. */
    PickupParcel: {
      awb_number: string;
      consignee_name: string;
      id: string;
    };
    /**
     * @description The state of a pickup, as its customer sees it.
     * @enum {string}
     */
    PickupStanding: "requested" | "confirmed" | "refused" | "calling_off" | "missed";
    /** @description A parcel's pickup, for its customer. */
    PlannedPickup: {
      /** @description The courier's number of it; empty while there is none. */
      confirmation: string;
      id: string;
      /** @description The courier comes, and did not agree to the last change. */
      is_change_refused: boolean;
      /** @description True if its courier can be told not to come. */
      may_call_off: boolean;
      /**
       * Format: int64
       * @description Number of parcels that are fetched with it.
       */
      parcels: number;
      /** @description Its state in a sentence, as every page and letter says it. */
      sentence: string;
      time: components["schemas"]["PickupLine"];
    };
    /** @description A preset as its customer sees it. */
    Preset: {
      fields: {
        [key: string]: string;
      };
      id: string;
      /** @description New bookings begin with this sender. */
      is_default: boolean;
      kind: components["schemas"]["PresetKind"];
      name: string;
    };
    /**
     * @description The section of the form that it fills.
     * @enum {string}
     */
    PresetKind: "consignor" | "consignee" | "package";
    Presets: {
      results: components["schemas"]["Preset"][];
    };
    /** @description The answer to step 1 as a plain form. */
    Priced: {
      error: string | null;
      errors: components["schemas"]["FieldError"][];
      quoted: null | components["schemas"]["PricedShipment"];
    };
    /** @description The shipment of step 1, its ends, and its rates. */
    PricedShipment: components["schemas"]["Ends"] & {
      notes: string[];
      rates: components["schemas"]["RateOption"][];
      values: components["schemas"]["RateForm"];
    };
    /** @description The profile as it comes over the wire. What is left out stays as it is. */
    ProfileChange: {
      /**
       * @description A code of the authenticator app, where two-step login is on.
       * @default
       */
      code?: string;
      /** @default null */
      company_name?: null | components["schemas"]["Text"];
      /**
       * @description Needed for another email address or phone number, because both lead into the account.
       * @default
       */
      current_password?: string;
      /** @default null */
      email?: null | components["schemas"]["Text"];
      /** @default null */
      first_name?: null | components["schemas"]["Text"];
      /** @default null */
      gstin?: null | components["schemas"]["Text"];
      /** @default null */
      last_name?: null | components["schemas"]["Text"];
      /**
       * @description A passkey's word in place of both.
       * @default
       */
      passkey?: string;
      /** @default null */
      phone?: null | components["schemas"]["Text"];
    };
    ProfileSaved: {
      message: string;
      user: components["schemas"]["User"];
    };
    /** @description A price with everything that explains it. The lines add up to the total to the paisa. */
    RateBreakdown: {
      /**
       * Format: int64
       * @description Of all pieces, as the other weights.
       */
      actual_grams: number;
      /** Format: int64 */
      chargeable_grams: number;
      gst: components["schemas"]["Rupees"];
      lines: components["schemas"]["RateLine"][];
      /**
       * Format: int64
       * @description Prices that were kept before they told it are of one.
       */
      pieces?: number;
      taxable: components["schemas"]["Rupees"];
      total: components["schemas"]["Rupees"];
      /** Format: int64 */
      volumetric_grams: number;
      zone: string;
    };
    /** @description The rate calculator's fields as typed. */
    RateForm: {
      /** @default  */
      booking_type: string;
      /**
       * @description Of a destination without a postal code.
       * @default
       */
      city: string;
      /** @default  */
      destination_country: string;
      /** @default  */
      destination_pincode: string;
      /** @default  */
      height: string;
      /** @default  */
      length: string;
      /** @default  */
      origin_pincode: string;
      /** @default  */
      quantity: string;
      /** @default  */
      shipment_type: string;
      /** @default  */
      weight: string;
      /** @default  */
      width: string;
    };
    /** @description One line of an itemised price. */
    RateLine: {
      amount: components["schemas"]["Rupees"];
      label: string;
      /** @description Comes on top of the taxable value. */
      tax?: boolean;
    };
    /** @description One service with its price. */
    RateOption: {
      addresses?: null | components["schemas"]["ServiceAddresses"];
      /** @description True if it takes no parcels at a counter, so that each has a pickup. */
      always_fetched?: boolean;
      breakdown: components["schemas"]["RateBreakdown"];
      grand_total_with_gst: components["schemas"]["Rupees"];
      /** @description Where a parcel is handed in that has no pickup, in a sentence. */
      hand_in?: string;
      kyc_required: boolean;
      otp_required: boolean;
      parent_vendor: string;
      /** @description The hours in which its courier fetches parcels, such as `10-13 13-16`. */
      pickup_hours?: string;
      /** Format: int64 */
      product_id: number;
      product_name: string;
      /** @description A token that the booking request sends back unchanged. */
      quote_id: string;
      /**
       * Format: int64
       * @description Not every partner tells.
       */
      tat_days: number | null;
    };
    /** @description A rate request as it comes over the wire (`calculate-rate`). */
    RateRequest: {
      booking_type: components["schemas"]["Text"];
      /** @default  */
      city?: components["schemas"]["Text"];
      /** @default  */
      consigner_gst_number?: components["schemas"]["Text"];
      /** @default  */
      destination_country?: components["schemas"]["Text"];
      /** @default  */
      destination_country_id?: components["schemas"]["Text"];
      /** @default  */
      destination_pincode?: components["schemas"]["Text"];
      /** @default  */
      height?: components["schemas"]["Text"];
      /** @default  */
      length?: components["schemas"]["Text"];
      /** @default  */
      origin_pincode: components["schemas"]["Text"];
      /** @default  */
      pickup_pincode?: components["schemas"]["Text"];
      /** @default  */
      quantity?: components["schemas"]["Text"];
      shipment_type?: components["schemas"]["Text"];
      /** @default  */
      weight: components["schemas"]["Text"];
      /** @default  */
      width?: components["schemas"]["Text"];
    };
    /** @description Prices, and what has to be said about them. */
    Rates: {
      data: components["schemas"]["RateOption"][];
      /** @description Sentences for the customer; left out when there are none. */
      notes?: string[];
    };
    /** @description The form of the account's page: what is not ticked is switched off. */
    RawChoices: {
      /** @default  */
      booked?: string;
      /** @default  */
      low_balance?: string;
      /**
       * @description Rupees.
       * @default
       */
      low_balance_below?: string;
      /** @default  */
      progress?: string;
      /** @default  */
      trouble?: string;
    };
    /** @description The time that was chosen, as it was sent. */
    RawPickupTime: {
      /** @default  */
      when?: components["schemas"]["Text"];
    };
    RawWeightDispute: {
      /** @default  */
      reason?: components["schemas"]["Text"];
    };
    /**
     * @description True if the receiver can ask us for a call.
     * @enum {string}
     */
    ReceiverCall: "possible" | "asked";
    /** @description A create request. */
    Recharge: {
      /** @default  */
      amount: components["schemas"]["Text"];
      /** @default  */
      next?: components["schemas"]["Text"];
    };
    RechargeData: {
      arrived: components["schemas"]["ArrivedPayment"][];
      balance: components["schemas"]["Rupees"];
      form: null | components["schemas"]["FormState"];
      minimum: components["schemas"]["Rupees"];
      owed?: null | components["schemas"]["Rupees"];
      pending: components["schemas"]["PendingPayment"][];
      weight_claims: components["schemas"]["WeightClaimCounts"];
    };
    RechargeLaunchData: {
      amount: components["schemas"]["Rupees"];
      merchant_order_id: string;
      page_url: string;
      script_url: string;
    };
    /** @description The body of every answer that refuses. */
    Refusal: {
      code: string;
      /** @description Data that a client needs to continue, such as the new price. */
      data?: unknown;
      errors?: components["schemas"]["FieldError"][];
      message: string;
      /**
       * Format: int64
       * @description The header of this name, for programs that see bodies only.
       */
      retry_after_s?: number | null;
    };
    RegisterData: {
      form: null | components["schemas"]["FormState"];
    };
    Registered: {
      message: string;
      user: components["schemas"]["User"];
    };
    /** @description A registration as it comes over the wire. */
    Registration: {
      /** @default  */
      email: components["schemas"]["Text"];
      /** @default  */
      first_name: components["schemas"]["Text"];
      /** @default  */
      last_name: components["schemas"]["Text"];
      /** @default  */
      password: string;
      /** @default  */
      password_confirm: string;
      /** @default  */
      phone: components["schemas"]["Text"];
      /** @default  */
      username: components["schemas"]["Text"];
    };
    Renaming: {
      /** @default  */
      name: components["schemas"]["Text"];
    };
    ResetAsked: {
      /** @description Where the sandbox shows the messages it does not send. */
      inbox_url: string | null;
      message: string;
    };
    ResetData: {
      form: null | components["schemas"]["FormState"];
      token: string;
    };
    /** @description Rupees with at most two decimals */
    Rupees: number;
    /**
     * @description The name of a screen in screens.json.
     * @enum {string}
     */
    Screen:
      | "dashboard"
      | "login"
      | "login-code"
      | "register"
      | "forgot-password"
      | "reset-password"
      | "undo-email"
      | "letters-off"
      | "account"
      | "two-step"
      | "passkeys"
      | "track"
      | "calculate"
      | "courier"
      | "addresses"
      | "bookings"
      | "recharge"
      | "recharge-callback"
      | "recharge-success"
      | "recharge-launch"
      | "weight-differences"
      | "terms"
      | "privacy"
      | "refund"
      | "shipping"
      | "help"
      | "offline"
      | "not-found";
    /** @description The limits of a service for the addresses of both parties. */
    ServiceAddresses: {
      receiver: components["schemas"]["AddressLimits"];
      sender: components["schemas"]["AddressLimits"];
      /** @description True if the first line where a parcel is collected must have a number. */
      sender_number?: boolean;
    };
    /** @description The refusal of a private page to a visitor who is not logged in. */
    SessionRefusal: components["schemas"]["Refusal"] & {
      /** @description The address of the login that comes back to the page. */
      redirect: string;
    };
    Sessions: {
      results: components["schemas"]["LoggedInAt"][];
    };
    /** @description Counts over all bookings of a user. */
    Stats: {
      amount: components["schemas"]["Rupees"];
      /** Format: int64 */
      delivered: number;
      /**
       * Format: int64
       * @description Parcels for which their courier did not agree to come, or did not come.
       */
      lost_pickups: number;
      /**
       * Format: int64
       * @description Their courier waits for somebody, or reports them as lost or damaged.
       */
      on_hold: number;
      /** Format: int64 */
      pending: number;
      /**
       * Format: int64
       * @description On their way back to the sender.
       */
      returning: number;
      /** Format: int64 */
      total: number;
    };
    /**
     * @description Where in the wizard its customer was. Codes are requested again, so there is no step for them.
     * @enum {string}
     */
    Step: "rate" | "details" | "kyc" | "review";
    /** @description A text; a number or a boolean counts as the text it is written as. */
    Text: string | number | boolean | null;
    Tokens: {
      access: string;
    };
    /** @description One kind of letter. */
    TopicChoice: {
      is_on: boolean;
      label: string;
      topic: components["schemas"]["LetterTopic"];
    };
    /** @description Data of the tracking page. */
    TrackData: {
      awb: string;
      error: string | null;
      tracked: null | components["schemas"]["Tracked"];
    };
    /** @description Everything that a person with the AWB may see. */
    Tracked: {
      call?: null | components["schemas"]["ReceiverCall"];
      /** @description Newest first. */
      data: components["schemas"]["TrackingEvent"][];
      /** @description A sentence about its pickup or drop-off, until it is picked up. */
      handover?: string | null;
      pickup?: null | components["schemas"]["PickupLine"];
      shipment: components["schemas"]["TrackedShipment"];
    };
    /** @description A shipment as the API and the pages show it. Public, as its events are. */
    TrackedShipment: {
      /** @description The courier's name, as people write it. */
      courier: string;
      /** @description The city, abroad with its country. */
      destination: string;
      /**
       * Format: int64
       * @description About when it arrives; `None` when it is not known, or when it is over.
       */
      expected_at: number | null;
      service: string;
      /** @description The shipment's progress, as a booking's status. */
      status: string;
    };
    /**
     * @description An event as the API and the pages show it: no name, phone, address or price. Only the sender
     *     also reads the courier's own words.
     */
    TrackingEvent: {
      airwaybill_no: string;
      /** @description Empty to all but the sender. */
      comments: string;
      courier_code: string;
      /** Format: int64 */
      date: number;
      /** @description True if the courier told no time of the day. */
      day_only?: boolean;
      /** @description To all but the sender a sentence of ours. */
      remarks: string;
      status: string;
      /** @description To all but the sender a city or country of our lists, or empty. */
      update_location: string;
    };
    /** @description A statement line as the API and the pages show it. */
    Transaction: {
      amount: components["schemas"]["Rupees"];
      balance_after: components["schemas"]["Rupees"];
      /** Format: int64 */
      created_at: number;
      description: string;
      id: string;
      /** @description The page about what was paid. */
      link: string | null;
      /** @description The document to download. */
      receipt: string | null;
      status: string;
      transaction_type: string;
    };
    /** @description A page of the statement. */
    Transactions: {
      /** Format: int64 */
      count: number;
      results: components["schemas"]["Transaction"][];
      /** @description The results under the name that older clients use. */
      transactions: components["schemas"]["Transaction"][];
    };
    TwoStepData: {
      /** @description The recovery codes, when they are new. */
      codes: string[] | null;
      /**
       * Format: int64
       * @description Number of recovery codes that are unused.
       */
      codes_left: number;
      form: null | components["schemas"]["FormState"];
      /** @description The form that was refused, by name. */
      part: string;
      setup: null | components["schemas"]["AppSecret"];
    };
    UndoEmailData: {
      /** @description The address that the link makes the account's again; null for one that is over. */
      email: string | null;
      /** @description Why it is over. */
      message: string;
      token: string;
    };
    /** @description The answer to an upload; a booking refers to it. */
    UploadedDocuments: {
      document_path_1: string;
      document_path_2: string;
    };
    /** @description The user as the API and the pages show it. */
    User: {
      balance: components["schemas"]["Rupees"];
      company_name: string;
      email: string;
      first_name: string;
      gstin: string;
      last_name: string;
      /**
       * Format: int64
       * @description Number of passkeys that log in to the account.
       */
      passkeys: number;
      phone: string;
      /** @description A code came back that was sent to the number. */
      phone_confirmed: boolean;
      /**
       * Format: int64
       * @description Since when two-step login is on; left out while it is off.
       */
      two_step_at?: number | null;
      /** @description The address that waits for the link to be opened that was sent there. */
      unconfirmed_email?: string | null;
      username: string;
    };
    /** @description The answer to verifying a recharge. */
    VerifyResult: {
      amount: components["schemas"]["Rupees"];
      /**
       * Format: int64
       * @description When the payment was credited.
       */
      completed_at: number | null;
      /** @description Where to go on paying, while that is possible. */
      continue_url: string | null;
      /**
       * Format: int64
       * @description When the order was made; `None` for one that is not the user's.
       */
      created_at: number | null;
      error: string | null;
      error_context: null | components["schemas"]["ErrorContext"];
      /**
       * Format: int64
       * @description Until when it can be paid.
       */
      expires_at: number | null;
      merchant_order_id: string;
      message: string;
      /** @description The payment method, in the customer's words. */
      method: string | null;
      next: null | components["schemas"]["LocalPath"];
      payment_status: components["schemas"]["PaymentOutcome"];
      status: components["schemas"]["PaymentOutcome"];
      success: boolean;
    };
    /** @description A draft that waits for its customer, in short. */
    WaitingDraft: {
      /** @description The receiver's name, else the destination's postal code; empty while neither is known. */
      receiver: string;
      /** Format: int64 */
      revision: number;
      /**
       * Format: int64
       * @description When it was changed last.
       */
      saved_at: number;
    };
    /** @description The result of the answer. */
    WeightClaimAnswered: {
      message: string;
      success: boolean;
    };
    /** @description Number of claims a customer has. */
    WeightClaimCounts: {
      all: number;
      /** @description Number of claims that wait for the customer's answer. */
      open: number;
    };
    WeightClaims: {
      results: components["schemas"]["WeightClaimShown"][];
    };
    /** @description A claim as its customer sees it. */
    WeightClaimShown: {
      /** @description With GST. */
      amount: components["schemas"]["Rupees"];
      awb: string;
      /** Format: int64 */
      booked_grams: number;
      /** Format: int64 */
      claimed_grams: number;
      /** Format: int64 */
      created_at: number;
      /** @description The number of the debit note of what was charged. */
      debit_note: string | null;
      dispute: string;
      id: string;
      proof: string;
      state: components["schemas"]["WeightClaimState"];
    };
    /**
     * @description The state of a claim.
     * @enum {string}
     */
    WeightClaimState: "open" | "disputed" | "charged" | "dropped" | "unknown";
    WeightDifferencesData: {
      claims: components["schemas"]["WeightClaimShown"][];
      form: null | components["schemas"]["FormState"];
    };
    /** @description One answer of check-zipcode. */
    Zipcode: {
      /** @description Empty abroad, and for a PIN code that is in no list: the customer types it. */
      city_area: string;
      state: string;
      state_code: string;
      /**
       * @description The PIN code is in no list, but in a known sorting district: the state and the prices are
       *     the district's. Told only where it is so.
       */
      unlisted?: boolean;
    };
    /** @description A check-zipcode request. */
    ZipcodeRequest: {
      /** @default  */
      country_id: components["schemas"]["Text"];
      /** @default  */
      zipcode?: components["schemas"]["Text"];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type AccountData = components["schemas"]["AccountData"];
export type Activities = components["schemas"]["Activities"];
export type Activity = components["schemas"]["Activity"];
export type AddressesData = components["schemas"]["AddressesData"];
export type AddressLimits = components["schemas"]["AddressLimits"];
export type Agreed = components["schemas"]["Agreed"];
export type Agreement = components["schemas"]["Agreement"];
export type AlertKind = components["schemas"]["AlertKind"];
export type AppSecret = components["schemas"]["AppSecret"];
export type Arrival = components["schemas"]["Arrival"];
export type ArrivedPayment = components["schemas"]["ArrivedPayment"];
export type Attempt = components["schemas"]["Attempt"];
export type Balance = components["schemas"]["Balance"];
export type BarredParcel = components["schemas"]["BarredParcel"];
export type Booked = components["schemas"]["Booked"];
export type BookedFact = components["schemas"]["BookedFact"];
export type BookedParty = components["schemas"]["BookedParty"];
export type BookedPickup = components["schemas"]["BookedPickup"];
export type BookedShipment = components["schemas"]["BookedShipment"];
export type Booking = components["schemas"]["Booking"];
export type BookingForm = components["schemas"]["BookingForm"];
export type BookingsData = components["schemas"]["BookingsData"];
export type BookingsFound = components["schemas"]["BookingsFound"];
export type BookingsList = components["schemas"]["BookingsList"];
export type BookingStatus = components["schemas"]["BookingStatus"];
export type BookingView = components["schemas"]["BookingView"];
export type CalculateData = components["schemas"]["CalculateData"];
export type Cancelled = components["schemas"]["Cancelled"];
export type ChosenBooking = components["schemas"]["ChosenBooking"];
export type ChosenBookings = components["schemas"]["ChosenBookings"];
export type ChosenEnd = components["schemas"]["ChosenEnd"];
export type ChosenFor = components["schemas"]["ChosenFor"];
export type ChosenPickups = components["schemas"]["ChosenPickups"];
export type ChosenService = components["schemas"]["ChosenService"];
export type CodeWanted = components["schemas"]["CodeWanted"];
export type Company = components["schemas"]["Company"];
export type Country = components["schemas"]["Country"];
export type CourierChoice = components["schemas"]["CourierChoice"];
export type CourierData = components["schemas"]["CourierData"];
export type CourierDetail = components["schemas"]["CourierDetail"];
export type DashboardData = components["schemas"]["DashboardData"];
export type DashboardTab = components["schemas"]["DashboardTab"];
export type DataCourierDetail = components["schemas"]["Data_CourierDetail"];
export type DataEarlierUpload = components["schemas"]["Data_EarlierUpload"];
export type DataZipcode = components["schemas"]["Data_Zipcode"];
export type DraftChange = components["schemas"]["DraftChange"];
export type DraftContent = components["schemas"]["DraftContent"];
export type DraftDocuments = components["schemas"]["DraftDocuments"];
export type DraftSaved = components["schemas"]["DraftSaved"];
export type EarlierUpload = components["schemas"]["EarlierUpload"];
export type Ends = components["schemas"]["Ends"];
export type ErrorContext = components["schemas"]["ErrorContext"];
export type FieldError = components["schemas"]["FieldError"];
export type ForgottenData = components["schemas"]["ForgottenData"];
export type ForgottenPassword = components["schemas"]["ForgottenPassword"];
export type FormState = components["schemas"]["FormState"];
export type GrievanceOfficer = components["schemas"]["GrievanceOfficer"];
export type HelpData = components["schemas"]["HelpData"];
export type History = components["schemas"]["History"];
export type Identity = components["schemas"]["Identity"];
export type KeptDraft = components["schemas"]["KeptDraft"];
export type KycUpload = components["schemas"]["KycUpload"];
export type KycUploaded = components["schemas"]["KycUploaded"];
export type Language = components["schemas"]["Language"];
export type LastKind = components["schemas"]["LastKind"];
export type LetterChoices = components["schemas"]["LetterChoices"];
export type LetterData = components["schemas"]["LetterData"];
export type LetterFact = components["schemas"]["LetterFact"];
export type LetterPart = components["schemas"]["LetterPart"];
export type LettersOffData = components["schemas"]["LettersOffData"];
export type LetterTopic = components["schemas"]["LetterTopic"];
export type ListedTransaction = components["schemas"]["Listed_Transaction"];
export type LocalPath = components["schemas"]["LocalPath"];
export type LoggedInAt = components["schemas"]["LoggedInAt"];
export type Login = components["schemas"]["Login"];
export type LoginAnswer = components["schemas"]["LoginAnswer"];
export type LoginCode = components["schemas"]["LoginCode"];
export type LoginCodeData = components["schemas"]["LoginCodeData"];
export type LoginData = components["schemas"]["LoginData"];
export type Message = components["schemas"]["Message"];
export type Month = components["schemas"]["Month"];
export type NewPasskey = components["schemas"]["NewPasskey"];
export type NewPickup = components["schemas"]["NewPickup"];
export type NewPreset = components["schemas"]["NewPreset"];
export type Notice = components["schemas"]["Notice"];
export type OrderCreated = components["schemas"]["OrderCreated"];
export type OtpStep = components["schemas"]["OtpStep"];
export type PageData = components["schemas"]["PageData"];
export type PageRedirect = components["schemas"]["PageRedirect"];
export type Passkey = components["schemas"]["Passkey"];
export type PasskeyAnswer = components["schemas"]["PasskeyAnswer"];
export type PasskeyAsked = components["schemas"]["PasskeyAsked"];
export type Passkeys = components["schemas"]["Passkeys"];
export type PasskeysData = components["schemas"]["PasskeysData"];
export type PasswordChange = components["schemas"]["PasswordChange"];
export type PasswordReset = components["schemas"]["PasswordReset"];
export type PaymentData = components["schemas"]["PaymentData"];
export type PaymentMeant = components["schemas"]["PaymentMeant"];
export type PaymentOutcome = components["schemas"]["PaymentOutcome"];
export type PaymentPageData = components["schemas"]["PaymentPageData"];
export type PendingPayment = components["schemas"]["PendingPayment"];
export type PendingPayments = components["schemas"]["PendingPayments"];
export type PickupBar = components["schemas"]["PickupBar"];
export type PickupCalledOff = components["schemas"]["PickupCalledOff"];
export type PickupChoice = components["schemas"]["PickupChoice"];
export type PickupGroup = components["schemas"]["PickupGroup"];
export type PickupLine = components["schemas"]["PickupLine"];
export type PickupParcel = components["schemas"]["PickupParcel"];
export type PickupStanding = components["schemas"]["PickupStanding"];
export type PlannedPickup = components["schemas"]["PlannedPickup"];
export type Preset = components["schemas"]["Preset"];
export type PresetKind = components["schemas"]["PresetKind"];
export type Presets = components["schemas"]["Presets"];
export type Priced = components["schemas"]["Priced"];
export type PricedShipment = components["schemas"]["PricedShipment"];
export type ProfileChange = components["schemas"]["ProfileChange"];
export type ProfileSaved = components["schemas"]["ProfileSaved"];
export type RateBreakdown = components["schemas"]["RateBreakdown"];
export type RateForm = components["schemas"]["RateForm"];
export type RateLine = components["schemas"]["RateLine"];
export type RateOption = components["schemas"]["RateOption"];
export type RateRequest = components["schemas"]["RateRequest"];
export type Rates = components["schemas"]["Rates"];
export type RawChoices = components["schemas"]["RawChoices"];
export type RawPickupTime = components["schemas"]["RawPickupTime"];
export type RawWeightDispute = components["schemas"]["RawWeightDispute"];
export type ReceiverCall = components["schemas"]["ReceiverCall"];
export type Recharge = components["schemas"]["Recharge"];
export type RechargeData = components["schemas"]["RechargeData"];
export type RechargeLaunchData = components["schemas"]["RechargeLaunchData"];
export type Refusal = components["schemas"]["Refusal"];
export type RegisterData = components["schemas"]["RegisterData"];
export type Registered = components["schemas"]["Registered"];
export type Registration = components["schemas"]["Registration"];
export type Renaming = components["schemas"]["Renaming"];
export type ResetAsked = components["schemas"]["ResetAsked"];
export type ResetData = components["schemas"]["ResetData"];
export type Rupees = components["schemas"]["Rupees"];
export type Screen = components["schemas"]["Screen"];
export type ServiceAddresses = components["schemas"]["ServiceAddresses"];
export type SessionRefusal = components["schemas"]["SessionRefusal"];
export type Sessions = components["schemas"]["Sessions"];
export type Stats = components["schemas"]["Stats"];
export type Step = components["schemas"]["Step"];
export type Text = components["schemas"]["Text"];
export type Tokens = components["schemas"]["Tokens"];
export type TopicChoice = components["schemas"]["TopicChoice"];
export type TrackData = components["schemas"]["TrackData"];
export type Tracked = components["schemas"]["Tracked"];
export type TrackedShipment = components["schemas"]["TrackedShipment"];
export type TrackingEvent = components["schemas"]["TrackingEvent"];
export type Transaction = components["schemas"]["Transaction"];
export type Transactions = components["schemas"]["Transactions"];
export type TwoStepData = components["schemas"]["TwoStepData"];
export type UndoEmailData = components["schemas"]["UndoEmailData"];
export type UploadedDocuments = components["schemas"]["UploadedDocuments"];
export type User = components["schemas"]["User"];
export type VerifyResult = components["schemas"]["VerifyResult"];
export type WaitingDraft = components["schemas"]["WaitingDraft"];
export type WeightClaimAnswered = components["schemas"]["WeightClaimAnswered"];
export type WeightClaimCounts = components["schemas"]["WeightClaimCounts"];
export type WeightClaims = components["schemas"]["WeightClaims"];
export type WeightClaimShown = components["schemas"]["WeightClaimShown"];
export type WeightClaimState = components["schemas"]["WeightClaimState"];
export type WeightDifferencesData = components["schemas"]["WeightDifferencesData"];
export type Zipcode = components["schemas"]["Zipcode"];
export type ZipcodeRequest = components["schemas"]["ZipcodeRequest"];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
