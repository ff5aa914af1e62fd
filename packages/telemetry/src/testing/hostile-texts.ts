const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

const nested = (size: number, times: number, wrap: (text: string) => string) => {
  let text = `{"password":"x"}${fill('z', size / 3)}`
  for (let i = 0; i < times; i++) text = JSON.stringify({ a: wrap(text) })
  return text
}

/** Strings that are slow to search for secrets. Each has a name and is generated with a given size. */
export const hostileTexts: Readonly<Record<string, (size: number) => string>> = {
  'a long name': size => `{"${fill('a', size)}.":1,"password":"x"}`,
  'a long secret name': size => fill('token', size),
  'a secret that is nearly repeated': size =>
    JSON.stringify({ password: `ab${fill('a', size / 10)}`, x: fill('a', size * 0.9) }),
  'a header that is nearly repeated': size =>
    JSON.stringify({ headers: { authorization: `Bearer ${fill('a', 15_000)}b` }, body: fill('a', size) }),
  'secrets that begin in the same way': size =>
    JSON.stringify({ passwords: numbered('aaaaaaaa', size / 40), x: fill('a', size / 2) }),
  'many secrets': size => JSON.stringify(numbered('a"bc', size / 30).map(password => ({ password }))),
  'many names': size => JSON.stringify(Object.fromEntries(numbered('k', size / 12).map(key => [key, 1]))),
  'many secret names': size => fill('token ', size),
  'many secret names with a colon': size => fill('token: a b\n', size),
  'many secret names in brackets': size => fill('token[', size),
  'many secret names in points': size => fill('token.', size),
  'open strings': size => fill('"token":"', size),
  'open lists': size => fill('"token":[', size),
  'open objects': size => fill('{"token":', size),
  'open elements': size => fill('<token>', size),
  'open tags': size => fill('<token ', size),
  'open blocks': size => fill('token: |\n a\n', size),
  'open private keys': size => fill('-----BEGIN PRIVATE KEY-----', size),
  'beginnings of private keys': size => `${fill('-----BEGIN ', size)}PRIVATE KEY`,
  'beginnings of signed tokens': size => fill('eyJ', size),
  'beginnings of signed tokens with points': size => fill('eyJ.', size),
  'beginnings of credentials in addresses': size => fill('http://a:', size),
  'beginnings of links': size => fill('/reset/', size),
  'beginnings of long words': size => fill('verif', size),
  'names of names': size => fill('name="token" ', size),
  'names of names in JSON': size => fill('{"name":"token",', size),
  'short texts in JSON': size => JSON.stringify(numbered('pin=', size / 12)),
  'empty texts in JSON': size => `[${fill('"",', size)}"token=x"]`,
  'JSON in JSON': size => nested(size, 12, text => text),
  'Base64 in Base64': size => nested(size, 3, text => Buffer.from(text).toString('base64')),
  'much Base64': size => fill('eyJhIjoiYiJ9eyJ ', size),
  'JSON that goes deep': size => `${fill('{"a":', size)}{"password":"x"}`,
  'lines of JSON': size => fill('{"token":"x"}\n', size),
  'lines of broken JSON': size => fill('{"token":x}\n', size),
  backslashes: size => `${fill('\\', size)}token=x`,
  'quotes with backslashes': size => `"token":"${fill('\\"', size)}`,
  'percent signs': size => `${fill('%25', size)}token=x`,
  'percent signs in a form': size => `${fill('a=%25&', size)}token=x`,
  'escaped letters': size => fill('%74oken%3D', size),
  'blanks behind a name': size => `token${fill(' ', size)}:x`,
  'hyphens before a flag': size => `${fill('-', size)}password x`,
  flags: size => fill('--password ', size),
  'parts of a form': size => `content-disposition: form-data\r\n\r\n--b\r\n${fill('--b\r\n', size)}`,
  'names of a part': size =>
    `--b\r\ncontent-disposition: form-data; ${fill('name="a\\', size)}\r\n\r\nx\r\n--b--`,
}

function numbered(start: string, count: number): readonly string[] {
  return Array.from({ length: Math.floor(count) }, (_, i) => `${start}${i}`)
}
