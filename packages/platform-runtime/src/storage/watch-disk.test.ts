import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { dataDirectory } from './data-directory.ts'
import { giveUpReserve, makeRoom, takeReserve } from './reserve-file.ts'
import { watchDisk } from './watch-disk.ts'

const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip

const megabyte = 1024 * 1024

it('a platform takes the reserve file at its start, and again when there is space after it was given up', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const notices: string[] = []
  const disk = { free: 40 * megabyte, total: 48 * megabyte }
  const end = watchDisk(
    folder.path,
    clock,
    text => notices.push(text),
    () => ({ ...disk }),
  )
  const size = () => statSync(join(folder.path, 'reserve'), { throwIfNoEntry: false })?.size
  expect(size()).toBe(Math.floor(2.4 * megabyte))
  expect(giveUpReserve(folder.path)).toBe(true)
  expect(giveUpReserve(folder.path)).toBe(false)
  disk.free = 7 * megabyte
  await clock.advance(60_000)
  expect(size()).toBeUndefined()
  expect(notices).toEqual([
    expect.stringContaining(`The disk of ${folder.path} is nearly full: 7 MB are free.`),
  ])
  disk.free = 13 * megabyte
  await clock.advance(60_000)
  disk.free = 9 * megabyte
  await clock.advance(60_000)
  expect(notices).toHaveLength(1)
  expect(size()).toBe(Math.floor(2.4 * megabyte))
  end()
  giveUpReserve(folder.path)
  disk.free = 40 * megabyte
  await clock.advance(120_000)
  expect(size()).toBeUndefined()
})

it('a disk that fails while a platform runs does not end the platform', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(0)
  const notices: string[] = []
  const path = join(folder.path, 'data')
  mkdirSync(path)
  const space = () => ({ free: 40 * megabyte, total: 48 * megabyte })
  const end = watchDisk(path, clock, text => notices.push(text), space)
  rmSync(path, { recursive: true })
  await clock.advance(180_000)
  expect(notices).toEqual([expect.stringContaining(`The free space of ${path} cannot be watched: ENOENT`)])
  mkdirSync(path)
  await clock.advance(60_000)
  expect(existsSync(join(path, 'reserve'))).toBe(true)
  end()
})

it('opening a data directory leaves the reserve file where the disk has space', () => {
  using folder = temporaryFolder()
  takeReserve(folder.path, { free: 100 * megabyte, total: 100 * megabyte })
  makeRoom(folder.path)
  expect(statSync(join(folder.path, 'reserve')).size).toBe(5 * megabyte)
})

it('opening a data directory gives up the reserve file only where the disk has no space for it', () => {
  using folder = temporaryFolder()
  const total = 48 * megabyte
  takeReserve(folder.path, { free: total, total })
  makeRoom(folder.path, { free: 2 * megabyte, total })
  expect(existsSync(join(folder.path, 'reserve'))).toBe(true)
  makeRoom(folder.path, { free: megabyte / 2, total })
  expect(existsSync(join(folder.path, 'reserve'))).toBe(false)
})

// A file that is a link to this device fails as on a full disk.
onLinux.each(['/dev/full'])(
  `a file that finds the disk full gets the space of the reserve file (%s)${isLinux ? '' : ' (skipped: needs Linux)'}`,
  device => {
    using folder = temporaryFolder()
    const reserve = join(folder.path, 'reserve')
    symlinkSync(device, reserve)
    takeReserve(folder.path, { free: 100 * megabyte, total: 100 * megabyte })
    giveUpReserve(folder.path)
    const directory = dataDirectory(folder.path)
    writeFileSync(reserve, 'x')
    symlinkSync(device, join(folder.path, `platform.json.${process.pid}.new`))
    directory.lock()
    expect(existsSync(reserve)).toBe(false)
    expect(existsSync(join(folder.path, 'platform.json'))).toBe(true)
    directory.release()
  },
)
