import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PNG, zipOf } from '../../testing/builders/file-contents.ts';
import { sniffFile } from './sniff.ts';

const sniff = (name: string, content: string | Uint8Array, declaredType = 'application/octet-stream') =>
  sniffFile({ head: typeof content === 'string' ? Buffer.from(content) : content, name, declaredType });

const HTML = '<!doctype html><script>alert(document.domain)</script>';
const SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
const EXE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(200)]);
const ELF = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(200)]);
const MACH = Buffer.concat([Buffer.from('cffaedfe07000001', 'hex'), Buffer.alloc(200)]);
const CLASS = Buffer.concat([Buffer.from('cafebabe00000034', 'hex'), Buffer.alloc(200)]);
const JAR = zipOf('META-INF/MANIFEST.MF', 'Manifest-Version: 1.0');

describe('detecting the type by content', () => {
  it.each([
    ['a.png', PNG, 'image/png'],
    ['a.txt', PNG, 'image/png'],
    ['a', '%PDF-1.7\n', 'application/pdf'],
    ['a.png', 'just words', 'text/plain'],
    ['a.csv', 'a,b\n1,2', 'text/csv'],
    ['a.csv', Buffer.from('Stra\xdfe,1', 'latin1'), 'text/csv'],
    ['a.txt', Buffer.from('\uFEFFwords', 'utf16le'), 'text/plain'],
    ['a.json', '{}', 'application/json'],
    ['love.txt', '<3 you', 'text/plain'],
    ['letter.txt', 'MZ wrote to me', 'text/plain'],
    ['a.log', '\x1b[31mred\x1b[0m', 'text/plain'],
    ['a.zip', zipOf('a.txt', 'x'), 'application/zip'],
    ['a.gz', gzipSync('x'), 'application/gzip'],
    ['a.xlsx', zipOf('x', 'x'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a.bin', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
  ])('%s', async (name, content, contentType) => {
    expect(await sniff(name, content)).toEqual({ contentType, downloadOnly: false });
  });

  it('uses the declared type only for containers that may hold audio', async () => {
    const webm = Buffer.concat([
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      Buffer.alloc(64),
    ]);
    expect((await sniff('voice.webm', webm, 'audio/webm')).contentType).toBe('audio/webm');
    expect((await sniff('film.webm', webm, 'image/png')).contentType).toBe('video/webm');
    expect((await sniff('a.png', 'words', 'image/png')).contentType).toBe('text/plain');
  });
});

describe('marking types that could run scripts when displayed', () => {
  it.each([
    ['a.html', HTML, 'text/html'],
    ['a.png', HTML, 'text/html'],
    ['a.png', `\n\t ${HTML}`, 'text/html'],
    ['a.txt', '<script>alert(1)</script>', 'text/html'],
    ['a.svg', SVG, 'image/svg+xml'],
    ['a.png', SVG, 'image/svg+xml'],
    ['a.png', '<svg onload=alert(1)>', 'image/svg+xml'],
    ['a.png', '\uFEFF<svg onload=alert(1)>', 'image/svg+xml'],
    ['a.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['a.html', 'words', 'text/html'],
    ['a.svg', PNG, 'image/png'],
    ['a.HTML', PNG, 'image/png'],
  ])('%s', async (name, content, contentType) => {
    expect(await sniff(name, content, 'image/png')).toEqual({ contentType, downloadOnly: true });
  });
});

describe('rejecting programs and scripts', () => {
  const refuse = (name: string, content: string | Uint8Array) =>
    expect(sniff(name, content, 'image/png'), name).rejects.toMatchObject({ code: 'validation' });

  it.each([
    ['photo.jpg', EXE],
    ['photo.png', ELF],
    ['photo.gif', MACH],
    ['photo.gif', CLASS],
    ['photo.zip', JAR],
    ['photo.png', '#!/bin/sh\nrm -rf ~'],
    ['photo.png', '\uFEFF#! /usr/bin/env node'],
    ['photo.txt', '@echo off\r\ndel *.*'],
    ['photo.jpg', '<?php system($_GET[0]);'],
  ])('by their content: %s', refuse);

  it('rejects them by name', async () => {
    const extensions =
      'jpg.exe EXE bat cmd com msi scr js mjs vbs ps1 sh jar apk app dll hta lnk pht php phtml py png.js';
    for (const extension of extensions.split(' ')) await refuse(`a.${extension}`, PNG);
  });
});

it('handles any bytes', async () => {
  const magic = fc.constantFrom(
    PNG,
    EXE,
    JAR,
    Buffer.from(SVG),
    gzipSync(HTML),
    Buffer.from('RIFF\xff\xff\xff\xffWEBP'),
  );
  const bytes = fc.tuple(magic, fc.nat(64), fc.uint8Array({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(bytes, async ([start, kept, rest]) => {
      const head = Buffer.concat([start.subarray(0, kept), rest]);
      const answer = await sniff('a.png', head).catch((error) => error);
      expect(answer.code ?? answer.contentType).toMatch(/^validation$|^\w+\/[\w.+-]+$/);
    }),
    { numRuns: 300 },
  );
});
