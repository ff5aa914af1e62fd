import { expect, it } from '@jest/globals'
import type { InvocationLog } from '../invocation-log.ts'
import { type InvocationSearch, passes } from '../search.ts'
import { kilobyte, loggedEntry } from './logged-entry.ts'
import { idsOf, type OpenLog } from './opened-log.ts'

/** Declares the tests of the searches, scans and watchers of an invocation log. */
export function logSearchSuite(openLog: OpenLog): void {
  /** Appends entries that differ in every field that a search looks at. */
  const appendVaried = (log: InvocationLog, count: number) => {
    for (let i = 0; i < count; i++)
      log.append({
        ...loggedEntry,
        requestId: `request-${i}`,
        functionName: `f${i % 3}`,
        source: `queue q${i % 5}`,
        family: i % 4 === 0 ? undefined : 'queue',
        started: 1000 * i + 0.5,
        duration: i,
        event: JSON.stringify({ order: `order-${i}`, note: 'all of them' }),
        verdict:
          i % 7 === 0
            ? undefined
            : { kind: i % 2 === 0 ? 'partial' : 'failure', ok: i % 2 === 0, text: `v${i}` },
        failure: i % 2 === 0 ? undefined : { kind: 'threw', message: `Error: "no" ${i}` },
        logs: [{ stream: 'out', text: `say "${i}"\nänd more` }],
      })
  }
  const found = async (log: InvocationLog, search: Partial<InvocationSearch>) => {
    const ids: number[] = []
    for (let before: number | undefined = search.before; ; ) {
      const page = await log.search({ last: 7, ...search, before })
      ids.push(...page.entries.map(({ id }) => id))
      before = page.before
      if (before === undefined) return ids
    }
  }

  it.each<[string, Partial<InvocationSearch>, (i: number) => boolean]>([
    ['all entries', {}, () => true],
    ['one function', { functions: ['f1'] }, i => i % 3 === 1],
    ['several functions', { functions: ['f1', 'f2', 'none'] }, i => i % 3 !== 0],
    ['one source', { sources: ['queue q3'] }, i => i % 5 === 3],
    ['one event family', { families: ['queue'] }, i => i % 4 !== 0],
    ['entries without a family', { families: [''] }, i => i % 4 === 0],
    ['one kind of verdict', { verdicts: ['failure'] }, i => i % 7 !== 0 && i % 2 === 1],
    ['missing verdicts', { verdicts: ['none'] }, i => i % 7 === 0],
    ['failures', { severities: ['error'] }, i => i % 2 === 1],
    ['results that hurt or say nothing', { severities: ['warning', 'neutral'] }, i => i % 2 === 0],
    ['a request id', { requestId: 'request-17' }, i => i === 17],
    ['part of an event', { text: 'order-42"' }, i => i === 42],
    ['part of a failure with quotes', { text: '"no" 43' }, i => i === 43],
    ['part of a log with special characters', { text: 'say "44"\nänd' }, i => i === 44],
    ['part of a verdict', { text: 'v46' }, i => i === 46],
    ['a short text', { text: '9"' }, i => i % 10 === 9],
    ['a text that no entry has', { text: 'order-999' }, () => false],
    ['a time span', { from: 10_000, to: 20_000 }, i => i >= 10 && i < 20],
    ['a time span below a millisecond', { from: 10_000.5, to: 10_000.6 }, i => i === 10],
    ['ids below a limit', { before: 20 }, i => i < 19],
    [
      'several filters at once',
      { functions: ['f0'], sources: ['queue q0'], severities: ['warning'], from: 1, text: 'all of' },
      i => i > 0 && i % 30 === 0 && i % 7 !== 0,
    ],
  ])('returns pages with the newest entries first when the search is for %s', async (_, search, isWanted) => {
    const log = await openLog({ size: 1e9 })
    appendVaried(log, 60)
    await log.flush()
    appendVaried(log, 3)
    await log.flush()
    const wanted = Array.from({ length: 60 }, (_each, i) => i).filter(isWanted)
    const later = [0, 1, 2].filter(i => isWanted(i) && search.before === undefined)
    expect(await found(log, search)).toEqual([
      ...later.map(i => i + 61).reverse(),
      ...wanted.map(i => i + 1).reverse(),
    ])
  })

  it('finds entries that were written one by one', async () => {
    const log = await openLog({ size: 1e9 })
    for (let i = 0; i < 70; i++) {
      log.append({
        ...loggedEntry,
        functionName: `f${i % 2}`,
        event: `"order-${i}-"`,
        started: i,
        duration: 0.1,
      })
      await log.flush()
    }
    expect(await found(log, { text: 'order-13-' })).toEqual([14])
    expect((await found(log, { functions: ['f1'] })).length).toBe(35)
    const visited: unknown[] = []
    await log.scan({ from: 30, to: 33 }, (about, started, duration) =>
      visited.push([about.functionName, started, duration]),
    )
    expect(visited.sort()).toEqual([
      ['f0', 30, 0.1],
      ['f0', 32, 0.1],
      ['f1', 31, 0.1],
    ])
  })

  it('finds no deleted entries, and returns no page after the last entry', async () => {
    const log = await openLog({ size: 500_000 })
    for (let i = 0; i < 1000; i++) {
      log.append({ ...kilobyte(), requestId: `request-${i}-` })
      if (i % 10 === 0) await log.flush()
    }
    const kept = (await idsOf(log, { last: 1000 })).toReversed()
    expect(kept.length).toBeLessThan(500)
    expect(await found(log, {})).toEqual(kept)
    expect(await found(log, { requestId: 'request-5-' })).toEqual([])
    let visited = 0
    await log.scan({ from: 0, to: 1e9 }, () => visited++)
    expect(visited).toBe(kept.length)
    // A search that takes too long, for example on a busy machine, ends early.
    let count = 0
    let before: number | undefined
    do {
      const page = await log.search({ last: kept.length - count, before })
      count += page.entries.length
      before = page.before
    } while (count < kept.length && before !== undefined)
    expect([count, before]).toEqual([kept.length, undefined])
  })

  it('scans the start, duration and outcome of each entry in a time span', async () => {
    const log = await openLog()
    appendVaried(log, 30)
    await log.flush()
    const visited: unknown[] = []
    await log.scan({ from: 7000, to: 9000 }, (about, started, duration) =>
      visited.push({ ...about, started: Math.floor(started), duration }),
    )
    expect(visited).toEqual([
      {
        ...{ functionName: 'f1', source: 'queue q2', family: 'queue', generation: 1, verdict: undefined },
        ...{ severity: 'error', started: 7000, duration: 7 },
      },
      {
        ...{ functionName: 'f2', source: 'queue q3', family: undefined, generation: 1 },
        ...{ verdict: { kind: 'partial', ok: true }, severity: 'warning', started: 8000, duration: 8 },
      },
    ])
  })

  it('scans the entries of one function', async () => {
    const log = await openLog()
    appendVaried(log, 10)
    const visited: number[] = []
    await log.scan({ from: 1000, to: 9000, functionName: 'f1' }, (_, __, duration) => visited.push(duration))
    expect(visited).toEqual([1, 4, 7])
  })

  it.each([
    ['an event', (text: string) => ({ event: JSON.stringify({ text }) })],
    ['a payload', (text: string) => ({ payload: text })],
    ['a log', (text: string) => ({ logs: [{ stream: 'out' as const, text }] })],
    ['a failure', (text: string) => ({ failure: { kind: 'threw' as const, message: text } })],
  ])('finds the first kilobyte of %s, and keeps but does not search the rest', async (_, of) => {
    const log = await openLog()
    const long = `begin-${'x'.repeat(990)}-late-${'y'.repeat(3000)}-end ${'\u{1f600}'.repeat(700)}`
    const entry = { ...loggedEntry, ...of(`${'é'.repeat(20)}${long}`) }
    log.append(entry)
    expect(await log.list()).toEqual([{ ...entry, id: 1, masked: false }])
    expect(await found(log, { text: 'ébegin-' })).toEqual([1])
    expect(await found(log, { text: '-end' })).toEqual([])
  })

  it.each([
    ...[
      '"',
      '""',
      "'",
      '%',
      '_',
      '*',
      'AND',
      'OR NOT',
      'a AND',
      '(',
      ')',
      '"a" OR "b"',
      'text:',
      '^',
      '+',
      '\\',
      '\n',
    ],
    ...['NEAR(a b, 2)', '\u{1f600}\u{1f600}\u{1f600}', 'x'.repeat(100_000)],
    ...["'; drop table invocations; --", '{"a":"%_*"}', ' "x\\ny" '],
  ])('finds exactly the entries with the text %j', async text => {
    const log = await openLog({ size: 1e8 })
    const of = (part: string) => [
      { event: JSON.stringify(part) },
      { payload: part },
      { logs: [{ stream: 'err' as const, text: `log ${part} line` }] },
      { verdict: { kind: 'denied', ok: true, text: part } },
    ]
    const others = Array.from({ length: 70 }, (_, i) => ({
      event: JSON.stringify(`other ${i} percent, under score`),
    }))
    for (const each of [...of('nothing'), ...of(text), ...others]) log.append({ ...loggedEntry, ...each })
    await log.flush()
    log.append({ ...loggedEntry, payload: text })
    const all = await log.list({ last: 1000 })
    const wanted = all.filter(entry => passes(entry, { text })).map(({ id }) => id)
    expect(await found(log, { text })).toEqual(wanted.reverse())
    expect(wanted.length > 0).toBe(text.length < 1024)
    expect(await found(log, { requestId: text })).toEqual([])
  })

  it('finds texts with characters that databases cannot store in logs and verdicts', async () => {
    const log = await openLog()
    for (const text of ['a\0b', 'abc\ud800']) {
      log.append({ ...loggedEntry, logs: [{ stream: 'out', text }] })
      log.append({ ...loggedEntry, verdict: { kind: 'denied', ok: true, text } })
    }
    expect(await found(log, { text: 'a\0b' })).toEqual([2, 1])
    expect(await found(log, { text: 'abc\ud800' })).toEqual([4, 3])
    expect(await found(log, { requestId: 'a\0b' })).toEqual([])
  })

  it('scans and finds an entry that differs from its neighbours only in a logged error', async () => {
    const log = await openLog()
    const logs = [{ stream: 'err', text: 'the stock is stale' }] as const
    for (const each of [loggedEntry, { ...loggedEntry, logs }, loggedEntry]) log.append(each)
    await log.flush()
    const severities: string[] = []
    await log.scan({ from: 0, to: 1 }, ({ severity }) => severities.push(severity))
    expect(severities.sort()).toEqual(['ok', 'ok', 'warning'])
    expect(await found(log, { severities: ['warning'] })).toEqual([2])
    expect(await found(log, { severities: ['ok'] })).toEqual([3, 1])
  })

  it('calls its watchers until they stop watching', async () => {
    const log = await openLog()
    const seen: string[] = []
    const [first, second] = ['a', 'b'].map(name => log.watch(({ id }) => seen.push(`${name}${id}`)))
    log.append(loggedEntry)
    await log.flush()
    first!()
    log.append(loggedEntry)
    await log.flush()
    second!()
    log.append(loggedEntry)
    await log.flush()
    expect(seen).toEqual(['a1', 'b1', 'b2'])
  })
}
