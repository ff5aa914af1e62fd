import { mimes } from 'mrmime'

/** The types of text that files are served with in UTF-8. */
const isText = /^(?:text\/|application\/(?:json|xml)$)/

/** The content types of files, by file extension. See docs/decisions/http.md#libraries-for-http-features. */
export const contentTypes: { readonly [ending: string]: string } = {
  ...Object.fromEntries(
    Object.entries(mimes).map(([ending, type]) => [
      `.${ending}`,
      isText.test(type) ? `${type}; charset=utf-8` : type,
    ]),
  ),
  // The package knows no type for icons, and text/xml for XML.
  '.ico': 'image/x-icon',
  '.xml': 'application/xml; charset=utf-8',
}
