import { expect, it } from '@jest/globals'
import { isDocumentPattern, matchesPattern } from './document-pattern.ts'

it.each([
  ['https://agent.example/client.json', 'https://agent.example/client.json', true],
  ['https://agent.example/client.json', 'https://agent.example/client.jsonx', false],
  ['https://agent.example/client.json', 'https://agent.example:8443/client.json', false],
  ['https://agent.example/*', 'https://agent.example/a/b', true],
  ['https://agent.example/*.json', 'https://agent.example/a.json', true],
  ['https://agent.example/a*a', 'https://agent.example/a', false],
  ['https://agent.example/a*b*c', 'https://agent.example/axbxc', true],
  ['https://*.example/c', 'https://a.b.example/c', true],
  ['https://*.example/c', 'https://example/c', false],
  ['https://*.agent.example/c', 'https://evil-agent.example/c', false],
  ['https://*.agent.example/c', 'https://agent.example.evil/c', false],
  ['https://*', 'https://anything.example:8443/a', true],
  ['https://*', 'http://127.0.0.1/a', false],
])('the pattern %s and the URL %s: %p', (pattern, url, matches) => {
  expect(isDocumentPattern(pattern)).toBe(true)
  expect(matchesPattern(pattern, url)).toBe(matches)
})

it.each([
  '',
  '*',
  'http://*',
  'http://agent.example/c',
  'https://a*b.example/c',
  'https://agent.example',
  'https://x/****',
  'https://x/?a',
])('%p is not a pattern', pattern => expect(isDocumentPattern(pattern)).toBe(false))
