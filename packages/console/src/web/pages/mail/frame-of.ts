/**
 * What a mail may do in its frame: show text, its own styles, and pictures that are part of it. It loads nothing, runs
 * nothing, and sends nothing. The sandbox of the frame and the policy of the page around it hold as well.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"

/**
 * Returns the document of a frame that shows the HTML of a mail. The policy comes first, where the mail cannot
 * change it.
 */
export function frameOf(html: string): string {
  return [
    '<!doctype html><html><head>',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<style>html{background:#fff;color:#111;color-scheme:light;font:14px/1.5 system-ui,sans-serif}</style>',
    '</head><body>',
    html,
  ].join('')
}
