/** For an attribute in double quotes. */
const quote = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** What a site puts into its pages. */
export const writeEmbedCode = (origin: string, organizationId: string, group: number): string => {
  const ofGroup = group === 0 ? '' : ` data-group="${group}"`;
  return `<script async src="${quote(origin)}/widget.js" data-organization="${quote(organizationId)}"${ofGroup}></script>`;
};
