import { type ChildProcess, spawn } from 'node:child_process'

// This is a shell script, because a shell starts in a millisecond and needs a hundredth of the memory of a second Node
// process. It uses only commands that are built into the shell. Its input closes when this process ends for any
// reason.
const program = `
trap '' HUP INT TERM
groups=
while read -r what leader; do
  kept=
  for each in $groups; do
    [ "$each" = "$leader" ] || kept="$kept $each"
  done
  groups=$kept
  [ "$what" = remove ] || groups="$groups $leader"
done
for each in $groups; do
  kill -s KILL -- "-$each"
done
`

const groups = new Set<number>()
let watcher: ChildProcess | undefined

/**
 * Kills a process group if this process ends, even by SIGKILL, and has not killed the group before. Does nothing on
 * Windows, or on a system without /bin/sh.
 * @param leader the id of the group
 * @returns a function that ends the watch
 */
export function watchForOrphans(leader: number): () => void {
  if (process.platform === 'win32') return () => {}
  groups.add(leader)
  if (watcher === undefined) watcher = start()
  else send('add', leader)
  return () => {
    if (!groups.delete(leader)) return
    send('remove', leader)
    if (groups.size > 0) return
    watcher?.stdin?.end()
    watcher = undefined
  }
}

function start(): ChildProcess {
  // Detached, so that killing the group of this process does not kill the watcher.
  const child = spawn('/bin/sh', ['-c', program], {
    detached: true,
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const lost = () => {
    if (watcher !== child) return
    // The next call starts a new watcher for its group.
    watcher = undefined
  }
  child.on('error', lost)
  child.on('exit', lost)
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as { unref?: () => void } | null)?.unref?.()
  for (const leader of groups) child.stdin?.write(`add ${leader}\n`)
  return child
}

function send(what: 'add' | 'remove', leader: number): void {
  watcher?.stdin?.write(`${what} ${leader}\n`)
}
