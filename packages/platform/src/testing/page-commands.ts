const program = /^(?:[A-Z_]+=\S+ +)*(?:npx +)?(?:@signalbox\/platform|signalbox) +/

/** Returns the arguments of each `signalbox` command in the blocks of shell on a page, as a shell reads them. */
export function commandsIn(page: string): readonly (readonly string[])[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block]) => block!)
  return blocks
    .flatMap(block => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap(commandsOfLine)
    .flatMap(command => (program.test(command) ? [wordsOf(command.replace(program, ''))] : []))
}

/** Splits a line at operators of the shell that are not in quotes, and leaves a comment out. */
function commandsOfLine(line: string): readonly string[] {
  const parts = line.match(/'[^']*'|"[^"]*"|\\.|(?:^|\s)#.*$|&&|\|\|?|;|[^'"\\]/g) ?? []
  const commands = ['']
  for (const part of parts) {
    if (/^\s?#/.test(part) && part.length > 1) break
    if (/^(?:&&|\|\|?|;)$/.test(part)) commands.push('')
    else commands[commands.length - 1] += part
  }
  return commands.map(each => each.trim())
}

/** Returns the words of a command without quotes, up to the first redirection. */
function wordsOf(command: string): readonly string[] {
  const words: string[] = []
  for (const [word] of command.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)) {
    if (/^\d?[<>]/.test(word)) break
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3'))
  }
  return words
}
