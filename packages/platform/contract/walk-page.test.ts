import { describe, expect, it } from '@jest/globals'
import { contractPages } from './contract-rows.ts'
import { gaps, walkPage } from './walk-page.ts'

describe('every row of the contract', () => {
  it.each(contractPages)(
    'of docs/contract/%s.md has cases that keep and break it, and they hold',
    async page => {
      const { failures, rows } = await walkPage(page)
      expect(failures).toEqual([])
      expect(rows).toBeGreaterThan(30)
    },
  )
})

describe('a walk of a page finds', () => {
  const both = [
    { row: 'event.path', kind: 'keeps' },
    { row: 'event.path', kind: 'breaks' },
  ] as const

  it('nothing when a row has both kinds of cases', () => {
    expect(gaps(['event.path'], both, {})).toEqual([])
  })

  it('a row without a case that keeps or breaks it', () => {
    expect(gaps(['event.path'], [], {})).toEqual([
      'event.path has no case that keeps it.',
      'event.path has no case that breaks it.',
    ])
  })

  it('an exception that is not needed, and an exception without a row', () => {
    expect(gaps(['event.path'], both, { 'event.path': 'why', 'status.*': 'why' })).toEqual([
      'event.path has a case that breaks it, and an exception.',
      'An exception is about status.*, which the page does not have.',
    ])
  })

  it('a case without a row', () => {
    expect(gaps([], both, {})).toEqual(['A case is about event.path, which the page does not have.'])
  })

  it('no gap in a row that an exception names', () => {
    expect(gaps(['status.KNOWN'], [{ row: 'status.KNOWN', kind: 'keeps' }], { 'status.*': 'why' })).toEqual(
      [],
    )
  })
})
