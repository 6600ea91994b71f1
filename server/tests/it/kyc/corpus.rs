//! Honest and hostile files, generated here.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// Content hidden in otherwise honest files: it must not be kept.
pub const SECRET: &[u8] = b"<script>alert('28.6139N 77.2090E')</script>";

const MIB: usize = 1024 * 1024;
const KIND: &str = "Only JPEG, PNG, and PDF files are allowed";
const SIZE: &str = "File size must be less than 2MB";
const PICTURE: &str = "picture";
const DAMAGED: &str = "damaged or unusual";
const PASSWORD: &str = "password";
const PAGES: &str = "more than 10 pages";

pub struct CorpusFile {
    pub name: String,
    pub content: Vec<u8>,
    /// Words of the refusal; `None` for a file that is accepted.
    pub refusal: Option<&'static str>,
}

pub fn png(width: u32, height: u32) -> Vec<u8> {
    picture(width, height, ImageFormat::Png)
}

pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    picture(width, height, ImageFormat::Jpeg)
}

fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let shade = |x: u32, y: u32| Rgb([(x % 251) as u8, (y % 241) as u8, ((x + y) % 239) as u8]);
    let picture = DynamicImage::from(RgbImage::from_fn(width, height, shade));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// A small valid PDF.
pub fn pdf() -> Vec<u8> {
    pdf_with("")
}

/// Makes a PDF with more objects in it.
fn pdf_with(objects: &str) -> Vec<u8> {
    pdf_of("/MediaBox [0 0 200 200]", objects)
}

/// A PDF of one page with these entries, and more objects.
fn pdf_of(page: &str, objects: &str) -> Vec<u8> {
    let body = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R {page} >>\nendobj\n{objects}\n\
         trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
    );
    body.into_bytes()
}

/// A page that repeats its content `times` times, compressed in a stream.
fn pdf_drawing(what: &[u8], times: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..times {
        encoder.write_all(what).expect("memory");
    }
    let data = encoder.finish().expect("memory");
    let length = data.len();
    let page = pdf_of("/MediaBox [0 0 200 200] /Contents 4 0 R", "OBJECT");
    let at = page.windows(6).position(|it| it == b"OBJECT").expect("it");
    let head = format!("4 0 obj\n<< /Length {length} /Filter /FlateDecode >>\nstream\n");
    let end = b"\nendstream\nendobj\n";
    [&page[..at], head.as_bytes(), &data, end, &page[at + 6..]].concat()
}

/// Two pages with a text each in a standard font, and everything that a PDF can hide: a script, an
/// attachment, a form, a link, metadata.
pub fn pdf_of_two_pages() -> Vec<u8> {
    let page = |number: usize, contents: usize| {
        format!(
            "{number} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]\n\
             /Resources << /Font << /F1 7 0 R >> >> /Contents {contents} 0 R /Annots [8 0 R] >>\n\
             endobj\n"
        )
    };
    let text = |number: usize, words: &str| {
        let draw = format!("BT /F1 64 Tf 60 600 Td ({words}) Tj ET");
        let length = draw.len();
        format!("{number} 0 obj\n<< /Length {length} >>\nstream\n{draw}\nendstream\nendobj\n")
    };
    let objects = [
        "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction 9 0 R\n\
         /Names << /EmbeddedFiles << /Names [(a.exe) 10 0 R] >> >> /AcroForm << /XFA 11 0 R >> >>\n\
         endobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>\nendobj\n",
        &page(3, 5),
        &page(4, 6),
        &text(5, "ABCDE1234F"),
        &text(6, "Second page"),
        "7 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n\
         8 0 obj\n<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI\n\
         /URI (https://evil.example) >> >>\nendobj\n\
         9 0 obj\n<< /S /JavaScript /JS (app.alert\\(1\\)) >>\nendobj\n\
         10 0 obj\n<< /Type /Filespec /F (a.exe) /EF << /F 11 0 R >> >>\nendobj\n\
         11 0 obj\n<< /Type /EmbeddedFile /Length 9 >>\nstream\nMZ-secret\nendstream\nendobj\n\
         12 0 obj\n<< /Title (Of the Income Tax) /Author (Meera) /Producer (Scanner 9) >>\nendobj\n\
         trailer\n<< /Size 13 /Root 1 0 R /Info 12 0 R >>\nstartxref\n0\n%%EOF\n",
    ];
    objects.concat().into_bytes()
}

/// Inserts a comment or metadata segment at the beginning of a JPEG.
fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("a short segment");
    let segment = [&[0xff, marker][..], &length.to_be_bytes(), content].concat();
    [&jpeg[..2], &segment, &jpeg[2..]].concat()
}

/// A PNG whose header has another size, with a matching checksum.
fn png_of_size(width: u32, height: u32) -> Vec<u8> {
    let mut png = png(4, 4);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&png[12..29]);
    png[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    png
}

/// Files that would take unlimited time or memory.
pub fn bombs() -> Vec<CorpusFile> {
    let names = ["pdf bomb", "pdf of deep objects", "pdf of many objects"];
    let mut files = pdfs();
    files.retain(|file| names.contains(&&*file.name));
    let lines = b"0 0 200 200 re 10 10 m 190 150 60 9 3 190 c B* ";
    let content = pdf_drawing(lines, 400_000);
    files.push(file("pdf that takes for ever", Some(DAMAGED), content));
    files
}

pub fn files() -> Vec<CorpusFile> {
    let groups = [taken(), of_another_kind(), broken_pictures(), pdfs()];
    groups.into_iter().flatten().collect()
}

fn file(name: &str, refusal: Option<&'static str>, content: Vec<u8>) -> CorpusFile {
    CorpusFile { name: name.to_owned(), content, refusal }
}

fn taken() -> Vec<CorpusFile> {
    let padded = |size: usize| {
        let head = pdf_with("% ");
        let (start, end) = head.split_at(head.len() - 6);
        [start, &vec![b' '; size - head.len()], end].concat()
    };
    vec![
        file("png", None, png(40, 30)),
        file("png of one pixel", None, png(1, 1)),
        file("large png", None, png(900, 700)),
        file("jpeg", None, jpeg(40, 30)),
        file("jpeg of a phone", None, jpeg(4_000, 3_000)),
        file("long narrow jpeg", None, jpeg(8_000, 10)),
        file("jpeg with a place", None, with_segment(&jpeg(40, 30), 0xe1, SECRET)),
        file("jpeg with a comment", None, with_segment(&jpeg(40, 30), 0xfe, SECRET)),
        file("jpeg with a page behind it", None, [&jpeg(40, 30)[..], SECRET].concat()),
        file("png with a page behind it", None, [&png(40, 30)[..], SECRET].concat()),
        file("jpeg and zip", None, [&jpeg(40, 30)[..], b"PK\x03\x04", SECRET].concat()),
        file("pdf", None, pdf()),
        file("pdf of exactly two megabytes", None, padded(2 * MIB)),
        file(
            "pdf with a plain stream",
            None,
            pdf_with("4 0 obj\n<< /Length 9 >>\nstream\n/JS hello\nendstream\nendobj"),
        ),
        file(
            "pdf with a link",
            None,
            pdf_with("4 0 obj\n<< /S /URI /URI (https://example.in) >>\nendobj"),
        ),
        file("pdf that ends in white space", None, [&pdf()[..], b"\r\n  \n"].concat()),
    ]
}

fn of_another_kind() -> Vec<CorpusFile> {
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    let kinds: [(&str, &[u8]); 20] = [
        ("text", b"PAN ABCDE1234F"),
        ("one byte", b"x"),
        ("html", b"<!doctype html><script>alert(1)</script>"),
        ("svg", svg),
        ("svg after white space", b"   \n<svg onload='alert(1)'/>"),
        ("xml", b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"),
        ("gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,"),
        ("webp", b"RIFF\x24\x00\x00\x00WEBPVP8 "),
        ("bmp", b"BM\x46\x00\x00\x00"),
        ("tiff", b"II*\x00\x08\x00\x00\x00"),
        ("heic", b"\x00\x00\x00\x18ftypheic"),
        ("zip", b"PK\x03\x04\x14\x00"),
        ("office document", b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml"),
        ("old office document", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("windows program", b"MZ\x90\x00\x03"),
        ("linux program", b"\x7fELF\x02\x01\x01"),
        ("shell script", b"#!/bin/sh\nrm -rf /\n"),
        ("php", b"<?php system($_GET['c']); ?>"),
        ("rtf", b"{\\rtf1\\ansi}"),
        ("postscript", b"%!PS-Adobe-3.0"),
    ];
    let mut files: Vec<CorpusFile> =
        kinds.into_iter().map(|(name, content)| file(name, Some(KIND), content.to_vec())).collect();
    files.extend([
        file("pdf after html", None, [&b"<html>"[..], &pdf()].concat()),
        file("png after a space", Some(KIND), [&b" "[..], &png(4, 3)].concat()),
        file("png of zeros", Some(KIND), vec![0; 5_000]),
        file(
            "one byte too many",
            Some(SIZE),
            [pdf(), vec![b' '; 2 * MIB + 1 - pdf().len()]].concat(),
        ),
        file("two and a half megabytes", Some(SIZE), vec![0xff; 2 * MIB + MIB / 2]),
    ]);
    files
}

fn broken_pictures() -> Vec<CorpusFile> {
    let (png, jpeg) = (png(40, 30), jpeg(40, 30));
    let mut flipped = png.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    vec![
        file("png signature only", Some(PICTURE), png[..8].to_vec()),
        file("half a png", Some(PICTURE), png[..png.len() / 2].to_vec()),
        file("png with a wrong bit", Some(PICTURE), flipped),
        file("png that holds a page", Some(PICTURE), [&png[..8], SECRET].concat()),
        file("jpeg signature only", Some(PICTURE), b"\xff\xd8\xff".to_vec()),
        file("jpeg's head only", Some(PICTURE), jpeg[..40].to_vec()),
        file("jpeg that holds a page", Some(PICTURE), [&b"\xff\xd8\xff\xe0"[..], SECRET].concat()),
        file("png bomb", Some("too many pixels"), png_of_size(7_900, 7_900)),
        file("wide png bomb", Some("too many pixels"), png_of_size(60_000, 1)),
        file("endless png", Some(PICTURE), png_of_size(u32::MAX, u32::MAX)),
        file("png of no size", Some(PICTURE), png_of_size(0, 0)),
    ]
}

fn pdfs() -> Vec<CorpusFile> {
    let object = |content: &str| pdf_with(&format!("4 0 obj\n<< {content} >>\nendobj"));
    let pages = |count: usize| {
        let kids: Vec<String> = (0..count).map(|at| format!("{} 0 R", 10 + at)).collect();
        let each = (0..count).map(|at| {
            let number = 10 + at;
            format!("{number} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n")
        });
        let text = String::from_utf8(pdf_with(&each.collect::<String>())).expect("text");
        let kids = format!("/Kids [{}]", kids.join(" "));
        text.replace("/Kids [3 0 R]", &kids).into_bytes()
    };
    let many: String = (4..100_004).map(|number| format!("{number} 0 obj\n1\nendobj\n")).collect();
    let deep = format!("4 0 obj\n{}\nendobj", "[".repeat(200_000));
    let wide = "/MediaBox [0 0 1000000 1000000]";
    vec![
        // A script in a PDF is not rendered, and so is not kept.
        file(
            "pdf with a script",
            None,
            object("/S /JavaScript /JS (<script>alert('28.6139N 77.2090E')</script>)"),
        ),
        file("pdf with a page behind it", None, [&pdf()[..], SECRET].concat()),
        file("pdf and zip", None, [&pdf()[..], b"PK\x05\x06"].concat()),
        file("pdf after a byte order mark", None, [b"\xef\xbb\xbf".to_vec(), pdf()].concat()),
        file("pdf after a kilobyte", Some(KIND), [vec![b' '; 1_024], pdf()].concat()),
        file("pdf of two pages", None, pdf_of_two_pages()),
        file("pdf of ten pages", None, pages(10)),
        file("pdf of eleven pages", Some(PAGES), pages(11)),
        file("pdf of a huge page", None, pdf_of(wide, "")),
        file(
            "pdf of a page that is a line",
            Some(DAMAGED),
            pdf_of("/MediaBox [0 0 1000000 2]", ""),
        ),
        file("pdf of many objects", None, pdf_with(&many)),
        file("pdf of deep objects", None, pdf_with(&deep)),
        file("pdf bomb", Some(DAMAGED), pdf_drawing(&vec![b' '; MIB], 900)),
        file(
            "pdf with a password",
            Some(PASSWORD),
            String::from_utf8(pdf())
                .expect("text")
                .replace("/Root 1 0 R", &format!("/Root 1 0 R /Encrypt << {LOCKED} >>"))
                .into_bytes(),
        ),
        file("pdf without an end", Some(DAMAGED), pdf()[..100].to_vec()),
        file("pdf's head only", Some(DAMAGED), b"%PDF-1.4".to_vec()),
        file("pdf of an unknown version", Some(DAMAGED), b"%PDF-9.9\n%%EOF".to_vec()),
        file(
            "pdf with an endless stream",
            Some(DAMAGED),
            b"%PDF-1.4\n1 0 obj\n<< >>\nstream\nabc %%EOF".to_vec(),
        ),
    ]
}

/// Encryption entries of a PDF locked by RC4 of 40 bits.
const LOCKED: &str = "/Filter /Standard /V 1 /R 2 /P -4 \
    /O <0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20> \
    /U <0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20>";
