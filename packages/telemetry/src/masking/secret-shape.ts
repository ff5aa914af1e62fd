// These patterns match values that look like secrets, under any name. The text of a pattern's first group stays
// visible. A string that contains none of a pattern's signs contains no match. Every repetition is bounded, or starts
// where its run of characters starts, so that each character is read only once.
const shapes: readonly (readonly [shape: RegExp, ...signs: readonly string[]])[] = [
  // A signed or encrypted token. Those of load balancers have the padding of Base64.
  [/(?<![\w-])()eyJ[\w-]+={0,2}\.[\w-]+={0,2}\.[\w-]*={0,2}(?:\.[\w-]+={0,2}){0,2}/g, 'eyJ'],
  // Credentials in a URL.
  [/(:\/\/[^\s/?#"'<>@:\\]{0,128}:)[^\s/?#"'<>@\\]{1,256}(?=@)/g, '://'],
  // The value of an authorization header. Ordinary words contain neither digits nor inner capitals.
  [
    /(?<![\w-])((?:[Bb]earer|[Bb]asic|DPoP|Negotiate|Token|ApiKey)(?:\s|%20|\+){1,4})(?=[A-Za-z+/_.~-]{0,64}(?:\d|=|(?<=[a-z])[A-Z]))[\w.~+/=-]{8,}/g,
    'earer',
    'asic',
    'DPoP',
    'Negotiate',
    'Token',
    'ApiKey',
  ],
  // The last part of a personal link, such as one that resets a password.
  [
    /((?<=\/)(?:[a-z]{0,12}[-_])?(?:reset|verif|confirm|activat|invit|magic|recover|unsubscrib|password|one-time|otp|token)[\w-]{0,24}\/)(?=[\w.~-]{0,64}\d|[\w.~-]{24})[\w.~-]{8,}/gi,
    '/',
  ],
  // API keys of services, which have recognizable prefixes.
  [
    /(?<![\w-])()(?:[rs]k_(?:live|test)_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AIza|SG\.|npm_|whsec_|ya29\.|sk-|hf_|dop_v1_|shp(?:at|ss)_|(?:AKIA|ASIA)(?=[A-Z\d]{16}\b))[\w.-]{10,}/g,
    '_',
    '-',
    '.',
    'AIza',
    'AKIA',
    'ASIA',
  ],
  [/(hooks\.slack\.com\/services\/)[\w/]{8,}/g, 'hooks.slack'],
  // Secrets in prose.
  [
    /(?<![\w-])((?:code|otp|pin|password|passcode|passphrase|token) (?:is|was):? ["'`]?)(?=[\w-]{0,32}\d)[\w-]{3,}/gi,
    ' is',
    ' was',
  ],
  [/(?<![\w.:-])()\d[\d-]{3,9}(?= is your )/g, ' is your '],
  // A code that was sent to a user, in the form in which custom authentication functions keep it.
  [/((?<![\w-])CODE-)(?=[\w-]{0,64}\d)[\w-]{4,64}/g, 'CODE-'],
  [/(identified\s{1,8}by\s{1,8}')[^']+/gi, 'dentified', 'DENTIFIED'],
  // Secrets in command-line options.
  [
    /((?<![\w-])--?[\w-]{0,32}(?:password|passwd|pass|secret|token|key)\s{1,4})(?![-\s])[^\s"'\\]+/gi,
    ' -',
    '--',
  ],
  [/((?<![\w-])(?:-u|--user)\s{1,4}["']?[\w.@-]{1,64}:)[^\s"'\\]+/g, '-u ', '--user'],
]

// Matches strings that may contain a value that looks like a secret. Each alternative begins with a rare character and
// looks back from there, because nearly all logged strings contain no secret.
const signs =
  /[_.-](?<=(?:[rs]k_(?:live|test)|gh[opsur]|github_pat|npm|whsec|hf|dop_v1|shp(?:at|ss))_|glpat-|xox[abeprs]-|sk-|CODE-|SG\.|ya29\.|hooks\.)|:\/\/[^\s/?#"'<>@:\\]{0,128}:[^\s/?#"'<>@\\]{1,256}@|[\s%+](?<=(?:[Bb]earer|[Bb]asic|DPoP|dpop|Negotiate|ApiKey|[Ii]dentified|IDENTIFIED|PRIVATE|-u|--user| is your).)|\/[a-z-]{0,12}(?:[Rr]eset|[Vv]erif|[Cc]onfirm|[Aa]ctivat|[Ii]nvit|[Mm]agic|[Rr]ecover|[Uu]nsubscrib|one-time)|A(?:Iza|[KS]IA)|(?:e[yw]|W[3yw]|PD94)[\w+/-]{14}/

/** Returns whether a string may contain a value that looks like a secret. */
export function hasSecretShape(text: string): boolean {
  return signs.test(text)
}

const beginning = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----/g

/** Masks values that look like secrets. `hide` returns the replacement. */
export function maskShapes(text: string, hide: (secret: string) => string): string {
  let masked = maskPrivateKeys(text, hide)
  for (const [shape, ...signs] of shapes)
    if (signs.some(each => text.includes(each)))
      masked = masked.replaceAll(
        shape,
        (whole: string, shown: string) => shown + hide(whole.slice(shown.length)),
      )
  return masked
}

/** Masks each private key up to its end, or up to the end of the string. */
function maskPrivateKeys(text: string, hide: (secret: string) => string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let masked = ''
  let done = 0
  beginning.lastIndex = 0
  while (beginning.exec(text) !== null) {
    const from = beginning.lastIndex
    const end = text.indexOf('-----END', from)
    const to = end < 0 ? text.length : end
    masked += text.slice(done, from) + hide(text.slice(from, to))
    done = to
    beginning.lastIndex = to
  }
  return masked + text.slice(done)
}
