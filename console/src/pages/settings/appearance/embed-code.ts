/** Escapes text for an HTML attribute in double quotes. */
const quote = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The script tag that a website embeds. */
export const writeEmbedCode = (origin: string, organizationId: string, group: number): string => {
  const ofGroup = group === 0 ? '' : ` data-group="${group}"`;
  return `<script async src="${quote(origin)}/widget.js" data-organization="${quote(organizationId)}"${ofGroup}></script>`;
};
