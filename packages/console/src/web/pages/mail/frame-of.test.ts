import { expect, it } from '@jest/globals'
import { frameOf } from './frame-of.ts'

it('the frame of a mail begins with a policy that allows only styles and embedded pictures', () => {
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
