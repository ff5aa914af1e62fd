import { expect, it } from '@jest/globals'
import { isOnDevice, isRedirectAddress, policySource, withParameters } from './redirect-address.ts'

it.each([
  'https://app.example/cb',
  'https://app.example:8443/cb?from=pool',
  'http://localhost:3000',
  'http://127.0.0.1/cb',
  'http://[::1]:3000/cb',
  'com.example.app://signed-in',
  'com.example.app:/signed-in',
])('isRedirectAddress() accepts %s', address => {
  expect(isRedirectAddress(address)).toBe(true)
})

it.each([
  '',
  '/cb',
  'http://app.example/cb',
  'https://app.example/cb#done',
  'https:app.example/cb',
  'https:/app.example/cb',
  'https:///app.example/cb',
  'http:localhost/cb',
  'https://ann:secret@app.example/cb',
  'https://app.example/a b',
  'https://app.example\\@evil.example/',
  'https://app;example/cb',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
])('isRedirectAddress() rejects %j', address => {
  expect(isRedirectAddress(address)).toBe(false)
})

it.each([
  'com.example.app:/cb',
  'http://localhost:3000/cb',
  'https://localhost/cb',
  'https://127.0.0.2:8443/cb',
  'https://0x7f.1/cb',
  'https://[::1]/cb',
  'https://[::]/cb',
  'https://[::ffff:127.0.0.1]/cb',
  'https://0.0.0.0/cb',
  'https://app.localhost/cb',
  'https://LOCALHOST./cb',
])('isOnDevice() knows that %s leads to a program on the device', address => {
  expect(isOnDevice(address)).toBe(true)
})

it.each(['https://app.example/cb', 'https://localhost.example/cb', 'https://127.0.0.1.example/cb'])(
  'isOnDevice() knows that %s leads to a server',
  address => {
    expect(isOnDevice(address)).toBe(false)
  },
)

it('policySource() returns the origin of a web address, or the scheme of an app', () => {
  expect(policySource('https://app.example:8443/cb?x')).toBe('https://app.example:8443')
  expect(policySource('com.example.app://signed-in')).toBe('com.example.app:')
})

it('withParameters() appends parameters to the query of an address', () => {
  expect(withParameters('https://a.example/cb?x=1', { state: 'a&b', code: undefined })).toBe(
    'https://a.example/cb?x=1&state=a%26b',
  )
  expect(withParameters('https://a.example/cb', {})).toBe('https://a.example/cb')
})
