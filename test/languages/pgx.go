package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v4"
)

var connection *pgx.Conn

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func ask(result interface{}, query string, values ...interface{}) {
	check(connection.QueryRow(context.Background(), query, values...).Scan(result))
}

func main() {
	var err error
	var yes bool
	var members []byte
	var text string

	connection, err = pgx.Connect(context.Background(), "")
	check(err)

	// pgx asks the server for the types of parameters: say what a number or a slice of them is. A string is text.
	ask(&yes, "SELECT members @> $1::bigint FROM audience WHERE name = 'eu'", 42)
	fmt.Println(yes)
	ask(&yes, "SELECT members @> $1 FROM audience WHERE name = 'words'", "ann")
	fmt.Println(yes)

	// Slices of keys
	ask(&yes, "SELECT ribbon_contains_any(members, $1::bigint[]) FROM audience WHERE name = 'eu'", []int64{42, 424242})
	fmt.Println(yes)
	ask(&yes, "SELECT ribbon_contains_all(members, $1) FROM audience WHERE name = 'words'", []string{"ann", "eve"})
	fmt.Println(yes)

	// A filter comes as its bytes by a cast; without it, as a string, "\x..."
	ask(&members, "SELECT members::bytea FROM audience WHERE name = 'eu'")
	ask(&text, "SELECT members FROM audience WHERE name = 'eu'")
	fmt.Println(len(members), len(text) == 2+2*len(members))

	// And goes as bytes, into a table or into a query; say that they are bytea
	_, err = connection.Exec(context.Background(), "INSERT INTO audience VALUES ('copy', $1::bytea::ribbonfilter)", members)
	check(err)
	ask(&yes, "SELECT $1::bytea::ribbonfilter @> $2::bigint", members, 42)
	fmt.Println(yes)
}
