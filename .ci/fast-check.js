// Tests get this module when they import fast-check. It differs from the package in two ways.
//
// Tests state how many runs a property has in `npm run check`. Elsewhere the property has a tenth of them, and at least 50.
// `CHECK=1 npm run jest -- packages/queue` has all of them.
//
// For strings with the unit `binary`, the package builds a table of all 1,112,064 Unicode characters in each test file. That
// takes about a second and 125 MB. This module computes the entries of the table instead.
import * as fastCheck from '../node_modules/fast-check/lib/fast-check.js'

export * from '../node_modules/fast-check/lib/fast-check.js'
export const assert = (property, parameters) => fastCheck.assert(property, withRuns(parameters))
export const check = (property, parameters) => fastCheck.check(property, withRuns(parameters))
export const string = (constraints = {}) =>
  fastCheck.string(constraints.unit === 'binary' ? { ...constraints, unit: characters } : constraints)
export default { ...fastCheck, assert, check, string }

function withRuns(parameters = {}) {
  if (process.env.CHECK === '1') return parameters
  const { numRuns = 100 } = parameters
  return { ...parameters, numRuns: Math.min(numRuns, Math.max(50, Math.ceil(numRuns / 10))) }
}

const [firstSurrogate, surrogates, last] = [0xd800, 0x800, 0x10ffff]
const characters = fastCheck.nat({ max: last - surrogates }).map(
  number => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
  text => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code) || !text.isWellFormed())
      throw new Error('This value is not one Unicode character.')
    return code < firstSurrogate ? code : code - surrogates
  },
)
