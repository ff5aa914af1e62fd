import { expect, it } from '@jest/globals'
import { smallDisk } from './small-disk.ts'
import { diskSoak } from './soak.ts'

const canMount = (() => {
  using disk = smallDisk(1)
  return disk !== undefined
})()
const withDisk = canMount ? it : it.skip

withDisk(
  `clients without credentials that fill a disk of 48 MB stop neither sign-ins nor sends, deletions, revocations and restarts${canMount ? '' : ' (skipped: needs the rights to mount a disk)'}`,
  async () => {
    const notes: string[] = []
    const result = await diskSoak({ say: text => notes.push(text) })
    expect({ notes, violations: result!.violations }).toEqual({ notes, violations: [] })
    expect(result!.signUps).toBeGreaterThan(10)
  },
)
