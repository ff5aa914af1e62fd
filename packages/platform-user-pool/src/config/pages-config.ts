import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problem } from '@signalbox/codec'
import { type ConfigOf, matching, nonEmptyText, optional, textLike } from '@signalbox/platform-runtime/config'

/** The grounds of the pages, in light and dark browsers. */
const grounds = { light: '#ffffff', dark: '#1a1e22' } as const

/** The least contrast of texts to their ground (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5

function colorOn(ground: keyof typeof grounds) {
  return matching<string>(
    `a color such as #0b57d0, with a contrast of at least ${leastContrast} to ${grounds[ground]}`,
    value =>
      typeof value === 'string' &&
      /^#[\da-f]{6}$/i.test(value) &&
      contrast(value, grounds[ground]) >= leastContrast,
  )
}

/** The form of an address of terms: https, without white space and control characters. */
export const termsForm = /^https:\/\/[^\s\p{C}"'<>\\]{1,1000}$/u

const address = matching<string>('an https URL', value => typeof value === 'string' && termsForm.test(value))

export const pagesFields = {
  /** The name of the service, which each page shows above its title. By default, there is none. */
  name: optional(textLike('a text of 1 to 60 characters', /^[^\p{C}]{1,60}$/u)),
  /** A file with the logo, which is a PNG, JPEG or WebP image of at most 64 KiB. By default, there is none. */
  logo: optional(nonEmptyText),
  /** The color of buttons and links on a white ground. Default: blue. */
  color: optional(colorOn('light')),
  /** The color of buttons and links in browsers that prefer dark pages. Default: light blue. */
  darkColor: optional(colorOn('dark')),
  /** The address of the terms of use, which the page for signing up refers to. By default, it refers to none. */
  termsOfUse: optional(address),
  /** The address of the privacy policy, which the page for signing up refers to. By default, it refers to none. */
  privacyPolicy: optional(address),
}

/** The look of the hosted pages, and what they refer to. */
export interface PagesConfig extends ConfigOf<typeof pagesFields> {}

/** The addresses that the page for signing up refers to. */
export interface Terms {
  readonly termsOfUse?: string | undefined
  readonly privacyPolicy?: string | undefined
}

/** The look of the hosted pages, with the logo as it was read. */
export interface PagesSettings extends Terms {
  readonly name?: string | undefined
  readonly color?: string | undefined
  readonly darkColor?: string | undefined
  /** The logo as a `data:` URL. */
  readonly logo?: string | undefined
  /** Rules that replace those of the pages, which `customCss` has written. */
  readonly css?: string | undefined
}

const mostBytes = 64 * 1024

/** Returns the problems of a file with a logo. */
export function logoProblems(file: string, pointer: string, root: string): readonly Problem[] {
  const found = statSync(resolve(root, file), { throwIfNoEntry: false })
  if (!found?.isFile()) return [{ pointer, expected: 'a file', actual: `${file}, where there is none` }]
  if (found.size > mostBytes)
    return [
      { pointer, expected: `a file of at most ${mostBytes} bytes`, actual: `a file of ${found.size} bytes` },
    ]
  if (typeOf(readFileSync(resolve(root, file))) === undefined)
    return [{ pointer, expected: 'a PNG, JPEG or WebP image', actual: 'another file' }]
  return []
}

/** Reads a logo without problems as a `data:` URL. */
export function readLogo(file: string, root: string): string {
  const bytes = readFileSync(resolve(root, file))
  return `data:${typeOf(bytes)};base64,${bytes.toString('base64')}`
}

/** Returns the type of an image by its first bytes. An image of these types contains neither script nor addresses. */
function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined
}

/** Returns the contrast of two colors (WCAG 2.2, contrast ratio), from 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
