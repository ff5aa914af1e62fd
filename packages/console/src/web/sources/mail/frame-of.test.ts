import { expect, it } from '@jest/globals'
import { frameOf } from './frame-of.ts'

it('the HTML frame of a mail starts with a CSP that allows only inline styles, and images and fonts from data: URLs', () => {
  const frame = frameOf('<p>Hi</p>')
  const [, policy = ''] =
    /^<!doctype html><html><head><meta http-equiv="content-security-policy" content="([^"]+)">/.exec(frame) ??
    []
  expect(policy.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    'font-src data:',
    "form-action 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
  ])
  expect(frame.endsWith('<body><p>Hi</p>')).toBe(true)
})
