/**
 * The policy for a mail in its frame. It allows text, styles and embedded pictures, and forbids loading, scripts
 * and forms. The sandbox of the frame and the policy of the outer page apply as well.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"

/**
 * Returns the document of a frame that shows the HTML of a mail. The policy comes first, so that the mail cannot
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
