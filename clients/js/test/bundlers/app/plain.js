// plain.js - a page's or a program's entry: the package finds its modules by itself

import { show } from "./check.js";

show();
