import { describe, expect, it } from '@jest/globals'
import { contractPages } from './contract-rows.ts'
import { gaps, walkPage } from './walk-page.ts'

describe('cases of the contract', () => {
  it.each(contractPages)(
    'each row of docs/contract/%s.md has passing cases that keep and break it',
    async page => {
      const { failures, rows } = await walkPage(page)
      expect(failures).toEqual([])
      expect(rows).toBeGreaterThan(30)
    },
  )
})

describe('the check of a contract page', () => {
  const both = [
    { row: 'event.path', kind: 'keeps' },
    { row: 'event.path', kind: 'breaks' },
  ] as const

  it('reports nothing if a row has cases that keep it and cases that break it', () => {
    expect(gaps(['event.path'], both, {})).toEqual([])
  })

  it('reports a row that lacks cases', () => {
    expect(gaps(['event.path'], [], {})).toEqual([
      'event.path has no case that keeps it.',
      'event.path has no case that breaks it.',
    ])
  })

  it('reports an exception that is not needed, and an exception without a row', () => {
    expect(gaps(['event.path'], both, { 'event.path': 'why', 'status.*': 'why' })).toEqual([
      'event.path has a case that breaks it, and an exception.',
      'An exception is about status.*, which the page does not have.',
    ])
  })

  it('reports a case without a row', () => {
    expect(gaps([], both, {})).toEqual(['A case is about event.path, which the page does not have.'])
  })

  it('accepts a row without breaking cases if an exception names it', () => {
    expect(gaps(['status.KNOWN'], [{ row: 'status.KNOWN', kind: 'keeps' }], { 'status.*': 'why' })).toEqual(
      [],
    )
  })
})
