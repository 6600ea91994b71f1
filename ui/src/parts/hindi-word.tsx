const STROKES = [
  "M0 41h190M13 41v59M13 39C5 27 10 14 26 14c18 0 32 11 40 25",
  "M66 41v16H48C37 57 35 66 45 75M62 97c11-4 12-22-7-22-12 0-18 6-18 14 0 11 13 18 25 21",
  "M118 66H91c-6 3-3 11 4 11",
  "M149 41v17h-9c-12 0-21 4-21 14 0 12 9 16 20 16 8 0 15-2 15-7 0-8-9-7-9-1 0 6 5 12 10 24",
  "M148 39c-6-16-1-25 8-25 10 0 16 11 20 25M176 41v59",
].join("");

/**
 * The word हिन्दी as a drawing, for pages in English: as text it made a slow phone look for a font
 * of its script before the first paint, a third of the time of the first layout.
 */
export function HindiWord() {
  return (
    <svg className="hindi-word" viewBox="0 8 190 108" role="img" aria-label="हिन्दी">
      <path d={STROKES} />
    </svg>
  );
}
