import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { poolSetup } from '../../testing/pool-setup.ts'
import { serviceOperations } from '../../testing/service-model.ts'
import { operations } from './operations.ts'
import { refusedOperations } from './refused-operations.ts'

const page = new URL('../../../../../docs/platform/user-pool-operations.md', import.meta.url)
const end = '<!-- The test of this page writes what follows. -->\n'

it('every operation of the newest Cognito client exists here, or is refused with its reason', () => {
  const decided = [...Object.keys(operations), ...Object.keys(refusedOperations)]
  expect(serviceOperations.length).toBeGreaterThanOrEqual(140)
  expect(serviceOperations.filter(name => !decided.includes(name))).toEqual([])
  expect(Object.keys(refusedOperations).filter(name => !serviceOperations.includes(name))).toEqual([])
  expect(Object.keys(refusedOperations).filter(name => Object.hasOwn(operations, name))).toEqual([])
})

it('a refused operation is answered with its reason, and an unknown one without', async () => {
  await using setup = await poolSetup()
  await expect(setup.call('CreateManagedLoginBranding', {})).rejects.toMatchObject({
    type: 'UnknownOperationException',
    message: `The operation CreateManagedLoginBranding is not supported: ${refusedOperations.CreateManagedLoginBranding}.`,
  })
  await expect(setup.call('constructor', {})).rejects.toMatchObject({
    type: 'UnknownOperationException',
    message: 'The operation constructor is not supported.',
  })
})

it('docs/platform/user-pool-operations.md has every operation. UPDATE=1 writes it, and npm run format aligns it', () => {
  const text = readFileSync(page, 'utf8')
  const at = text.indexOf(end) + end.length
  expect(at).toBeGreaterThan(end.length)
  const rows = serviceOperations.map(name => {
    const operation = operations[name]
    const answer =
      operation === undefined
        ? `refused: ${refusedOperations[name]}`
        : operation.isAdmin
          ? 'with credentials'
          : 'without credentials'
    return `| \`${name}\` | ${answer} |`
  })
  const written = `${text.slice(0, at)}\n| Operation | Answered |\n| --- | --- |\n${rows.join('\n')}\n`
  if (process.env.UPDATE === '1') writeFileSync(page, written)
  expect(words(readFileSync(page, 'utf8'))).toBe(words(written))
})

/** Returns the words of a page. Formatting aligns the columns of its tables. */
function words(text: string): string {
  return text.replace(/ +/g, ' ').replace(/-{3,}/g, '---')
}
