// Replaces `@jest/globals` in a process that runs the same tests many times. `describe` and `it` collect tests, and
// `run` runs a collected test. `expect` is the one from jest.
import { expect } from 'expect'
import { bind } from 'jest-each'
import { format } from 'pretty-format'

/** @typedef {{ name: string, outer?: Block, beforeAll: Hook[], beforeEach: Hook[], afterEach: Hook[], afterAll: Hook[] }} Block */
/** @typedef {() => unknown} Hook */

const newBlock = (name, outer) => ({
  name,
  outer,
  beforeAll: [],
  beforeEach: [],
  afterEach: [],
  afterAll: [],
})

let block = newBlock('')
let collected = []

/**
 * Collects the tests that a module declares.
 * @param {string} file the name that the tests' names start with
 * @param {() => Promise<unknown>} load imports the module
 */
export async function collect(file, load) {
  collected = []
  block = newBlock(file)
  await load()
  return collected
}

/** Returns the blocks around a test, outermost first. */
function blocksOf({ outer }) {
  return outer === undefined ? [] : [...blocksOf(outer), outer]
}

/** Runs one test with the hooks around it. Rejects when it fails. */
export async function run(test) {
  const blocks = blocksOf(test)
  const outwards = blocks.toReversed()
  expect.setState({ assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false })
  try {
    for (const each of blocks) for (const hook of each.beforeAll) await hook()
    for (const each of blocks) for (const hook of each.beforeEach) await hook()
    await test.body()
    const unmet = expect.extractExpectedAssertionsErrors()
    if (unmet.length > 0) throw unmet[0].error
  } finally {
    for (const each of outwards) for (const hook of each.afterEach.toReversed()) await hook()
    for (const each of outwards) for (const hook of each.afterAll.toReversed()) await hook()
  }
}

export function it(name, body) {
  const test = { name, body, outer: block }
  collected.push({ ...test, id: [...blocksOf(test).map(each => each.name), name].join(' › ') })
}
it.each = bind(it, false)

export function describe(name, declare) {
  const outer = block
  block = newBlock(name, outer)
  declare()
  block = outer
}
describe.each = bind(describe, false)

export const beforeAll = hook => block.beforeAll.push(hook)
export const beforeEach = hook => block.beforeEach.push(hook)
export const afterEach = hook => block.afterEach.push(hook)
export const afterAll = hook => block.afterAll.push(hook)

export { jest } from '../jest.globals.js'

expect.extend({
  toMatchInlineSnapshot(received, expected) {
    const lines = text =>
      text
        .trim()
        .split('\n')
        .map(line => line.trim())
        .join('\n')
    const printed = format(received, { escapeString: false, printBasicPrototype: false })
    return { pass: lines(printed) === lines(expected), message: () => `${printed}\nis not\n${expected}` }
  },
})

export { expect }
