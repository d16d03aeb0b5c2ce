const { Client } = require('pg')

async function main() {
  const client = new Client()
  await client.connect()
  const ask = async (text, ...values) => (await client.query({ text, values, rowMode: 'array' })).rows[0][0]

  // Numbers and arrays are sent as untyped text: say what they are. A string is text.
  console.log(await ask("SELECT members @> $1::bigint FROM audience WHERE name = 'eu'", 42))
  console.log(await ask("SELECT members @> $1 FROM audience WHERE name = 'words'", 'ann'))

  // Arrays of keys
  console.log(await ask("SELECT ribbon_contains_any(members, $1::bigint[]) FROM audience WHERE name = 'eu'", [42, 424242]))
  console.log(await ask("SELECT ribbon_contains_all(members, $1) FROM audience WHERE name = 'words'", ['ann', 'eve']))

  // A filter comes as a Buffer by a cast; without it, as a string, '\x...'
  const members = await ask("SELECT members::bytea FROM audience WHERE name = 'eu'")
  const text = await ask("SELECT members FROM audience WHERE name = 'eu'")
  console.log(members.length, Buffer.from(text.slice(2), 'hex').equals(members))

  // And goes as a Buffer, which is sent in the binary format, into a table or into a query
  await client.query("INSERT INTO audience VALUES ('copy', $1)", [members])
  console.log(await ask('SELECT $1::ribbonfilter @> $2::bigint', members, 42))
  await client.end()
}

main()
