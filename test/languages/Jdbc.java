import java.sql.*;

class Jdbc {
    static Connection connection;

    static ResultSet ask(String query, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(query);
        for (int i = 0; i < values.length; i++)
            statement.setObject(i + 1, values[i]);
        ResultSet row = statement.executeQuery();
        row.next();
        return row;
    }

    public static void main(String[] args) throws SQLException {
        connection = DriverManager.getConnection(System.getenv("JDBC_URL"));

        // setLong, setString and so on send a type along; so does setObject.
        System.out.println(ask("SELECT members @> ? FROM audience WHERE name = 'eu'", 42L).getBoolean(1));
        System.out.println(ask("SELECT members @> ? FROM audience WHERE name = 'words'", "ann").getBoolean(1));

        // Arrays of keys, of the type that is named.
        Array keys = connection.createArrayOf("bigint", new Long[] {42L, 424242L});
        System.out.println(ask("SELECT ribbon_contains_any(members, ?) FROM audience WHERE name = 'eu'", keys).getBoolean(1));
        Array words = connection.createArrayOf("text", new String[] {"ann", "eve"});
        System.out.println(ask("SELECT ribbon_contains_all(members, ?) FROM audience WHERE name = 'words'", words).getBoolean(1));

        // A filter comes as its bytes by a cast; without it, as a String, "\\x...".
        byte[] members = ask("SELECT members::bytea FROM audience WHERE name = 'eu'").getBytes(1);
        String text = ask("SELECT members FROM audience WHERE name = 'eu'").getString(1);
        System.out.println(members.length + " " + (text.length() == 2 + 2 * members.length));

        // And goes as bytes, or as such a String, into a table or into a query. Say what it is.
        PreparedStatement insert = connection.prepareStatement("INSERT INTO audience VALUES ('copy', ?::ribbonfilter)");
        insert.setBytes(1, members);
        insert.executeUpdate();
        System.out.println(ask("SELECT ?::ribbonfilter @> ?", text, 42L).getBoolean(1));
    }
}
