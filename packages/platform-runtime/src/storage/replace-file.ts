import { chmodSync, chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/**
 * Replaces a file, or creates it. A reader finds either the old content or the new content, even after this process was
 * killed or the disk was full. Keeps the mode and the owner of an existing file.
 * @param flush whether the new content is on the disk before it replaces the old one, so that this also holds after a
 * power cut
 */
export function replaceFile(path: string, content: string, { flush }: { readonly flush: boolean }): void {
  // Several processes can replace the same file at the same time.
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, content, { flush })
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing !== undefined) {
      chmodSync(draft, existing.mode)
      if (process.geteuid?.() === 0) chownSync(draft, existing.uid, existing.gid)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
