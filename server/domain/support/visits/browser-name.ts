/** Most user agents also contain the names of other browsers, so the order matters. */
const names: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[^ ]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

/** Shortens a user agent to, for example, `Chrome 142`; empty if unknown. */
export const browserName = (userAgent: string): string => {
  for (const [pattern, name] of names) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return '';
};
