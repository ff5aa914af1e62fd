// A user pool makes four RSA keys, which takes a fifth of a second. Tests take keys from a file that `jest.setup.js` writes
// once. A test file gets the same key twice only after all others. Programs that tests start make their own keys.
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

const crypto = process.getBuiltinModule('node:crypto')
const { generateKeyPair, generateKeyPairSync } = crypto
const texts = JSON.parse(readFileSync(new URL('../node_modules/.cache/signalbox-keys.json', import.meta.url)))
let used = 0
const next = () => {
  const privateKey = crypto.createPrivateKey(texts[used++ % texts.length])
  return { privateKey, publicKey: crypto.createPublicKey(privateKey) }
}
const isSame = (type, { modulusLength, ...rest } = {}) =>
  type === 'rsa' && modulusLength === 2048 && Object.keys(rest).length === 0
const made = promisify(generateKeyPair)
crypto.generateKeyPair = Object.assign((...input) => generateKeyPair(...input), {
  [promisify.custom]: async (type, options) => (isSame(type, options) ? next() : made(type, options)),
})
crypto.generateKeyPairSync = (type, options) =>
  isSame(type, options) ? next() : generateKeyPairSync(type, options)
syncBuiltinESMExports()
