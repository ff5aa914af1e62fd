import { describe, expect, it } from '@jest/globals'
import { contractPages } from './contract-rows.ts'
import { gaps, walkPage } from './walk-page.ts'

describe('the contract cases', () => {
  it.each(contractPages)(
    'test each row of docs/contract/%s.md with input that obeys it and input that violates it',
    async page => {
      const { failures, rows } = await walkPage(page)
      expect(failures).toEqual([])
      expect(rows).toBeGreaterThan(30)
    },
  )
})

describe('gaps()', () => {
  const both = [
    { row: 'event.path', kind: 'keeps' },
    { row: 'event.path', kind: 'breaks' },
  ] as const

  it('reports nothing if one case obeys a row and another case violates it', () => {
    expect(gaps(['event.path'], both, {})).toEqual([])
  })

  it('reports a row without cases', () => {
    expect(gaps(['event.path'], [], {})).toEqual([
      'event.path has no case that keeps it.',
      'event.path has no case that breaks it.',
    ])
  })

  it('reports an exception for a row that needs none, and an exception for an unknown row', () => {
    expect(gaps(['event.path'], both, { 'event.path': 'why', 'status.*': 'why' })).toEqual([
      'event.path has a case that breaks it, and an exception.',
      'An exception is about status.*, which the page does not have.',
    ])
  })

  it('reports a case for a row that the page does not have', () => {
    expect(gaps([], both, {})).toEqual(['A case is about event.path, which the page does not have.'])
  })

  it('does not report a row without a violating case if an exception covers the row', () => {
    expect(gaps(['status.KNOWN'], [{ row: 'status.KNOWN', kind: 'keeps' }], { 'status.*': 'why' })).toEqual(
      [],
    )
  })
})
