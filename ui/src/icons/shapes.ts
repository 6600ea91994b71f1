/**
 * Icons of Lucide (ISC, see LICENSE beside), those in use: what stands inside of each one's `<svg>`
 * of 24 by 24. In the markup they are drawn with the text beside them; a picture that a style sheet
 * names would cost a phone a document of its own.
 */
export const SHAPES = {
  account:
    '<path d="M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2"/>' + '<circle cx="12" cy="7" r="4"/>',
  addresses:
    '<path d="M16 2v2"/>' +
    '<path d="M7 21v-2a2 2 0 012-2h6a2 2 0 012 2v2"/>' +
    '<path d="M8 2v2"/>' +
    '<circle cx="12" cy="10" r="3"/>' +
    '<rect x="3" y="3" width="18" height="18" rx="2"/>',
  bookings:
    '<path d="M3 5h.01"/>' +
    '<path d="M3 12h.01"/>' +
    '<path d="M3 19h.01"/>' +
    '<path d="M8 5h13"/>' +
    '<path d="M8 12h13"/>' +
    '<path d="M8 19h13"/>',
  calculate:
    '<rect width="16" height="20" x="4" y="2" rx="2"/>' +
    '<line x1="8" x2="16" y1="6" y2="6"/>' +
    '<line x1="16" x2="16" y1="14" y2="18"/>' +
    '<path d="M16 10h.01"/>' +
    '<path d="M12 10h.01"/>' +
    '<path d="M8 10h.01"/>' +
    '<path d="M12 14h.01"/>' +
    '<path d="M8 14h.01"/>' +
    '<path d="M12 18h.01"/>' +
    '<path d="M8 18h.01"/>',
  courier:
    '<path d="M12 22V12"/>' +
    '<path d="M16 17h6"/>' +
    '<path d="M19 14v6"/>' +
    '<path d="M21 10.535V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.729l7 4a2 2 0 0 0 2 .001l1.675-.955"/>' +
    '<path d="M3.29 7 12 12l8.71-5"/>' +
    '<path d="m7.5 4.27 8.997 5.148"/>',
  dashboard:
    '<rect width="7" height="9" x="3" y="3" rx="1"/>' +
    '<rect width="7" height="5" x="14" y="3" rx="1"/>' +
    '<rect width="7" height="9" x="14" y="12" rx="1"/>' +
    '<rect width="7" height="5" x="3" y="16" rx="1"/>',
  error:
    '<circle cx="12" cy="12" r="10"/>' +
    '<line x1="12" x2="12" y1="8" y2="12"/>' +
    '<line x1="12" x2="12.01" y1="16" y2="16"/>',
  help:
    '<circle cx="12" cy="12" r="10"/>' +
    '<path d="M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3"/>' +
    '<path d="M12 17h.01"/>',
  info: '<circle cx="12" cy="12" r="10"/>' + '<path d="M12 16v-4"/>' + '<path d="M12 8h.01"/>',
  logout:
    '<path d="m16 17 5-5-5-5"/>' +
    '<path d="M21 12H9"/>' +
    '<path d="M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4"/>',
  menu: '<path d="m6 9 6 6 6-6"/>',
  nothing:
    '<path d="M12 22v-9"/>' +
    '<path d="M15.17 2.21a1.67 1.67 0 0 1 1.63 0L21 4.57a1.93 1.93 0 0 1 0 3.36L8.82 14.79a1.655 1.655 0 0 1-1.64 0L3 12.43a1.93 1.93 0 0 1 0-3.36z"/>' +
    '<path d="M20 13v3.87a2.06 2.06 0 0 1-1.11 1.83l-6 3.08a1.93 1.93 0 0 1-1.78 0l-6-3.08A2.06 2.06 0 0 1 4 16.87V13"/>' +
    '<path d="M21 12.43a1.93 1.93 0 0 0 0-3.36L8.83 2.2a1.64 1.64 0 0 0-1.63 0L3 4.57a1.93 1.93 0 0 0 0 3.36l12.18 6.86a1.636 1.636 0 0 0 1.63 0z"/>',
  success: '<circle cx="12" cy="12" r="10"/>' + '<path d="m16 9-5.5 5.5L8 12"/>',
  "to-do": '<circle cx="12" cy="12" r="10"/>',
  track:
    '<path d="M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0"/>' +
    '<circle cx="12" cy="10" r="3"/>',
  wallet:
    '<path d="M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1"/>' +
    '<path d="M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4"/>',
  warning:
    '<path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3"/>' +
    '<path d="M12 9v4"/>' +
    '<path d="M12 17h.01"/>',
} as const;
