// page.js - the answer on the server, and that in the browser

import { report } from "../../app/check.js";
import Client from "./client.js";

export const dynamic = "force-dynamic";

export default async function Page() {
  return (
    <p>
      <span id="server">{await report()}</span>
      <Client />
    </p>
  );
}
