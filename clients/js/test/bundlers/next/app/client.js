"use client";

import { useEffect } from "react";
import { report } from "../../app/check.js";

export default function Client() {
  useEffect(() => {
    report().then((text) => {
      globalThis.result = [document.getElementById("server").textContent, text].join(" ");
    });
  }, []);
  return <span>client</span>;
}
