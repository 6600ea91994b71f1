import { describe, expect, test } from "vitest";
import { screenAt, screens } from "./screens";

describe("addresses", () => {
  test("lead to their screens", () => {
    for (const entry of screens) {
      if (entry.path !== "*") expect(screenAt(entry.path).screen).toBe(entry.screen);
    }
    expect(screenAt("/").screen).toBe("dashboard");
    expect(screenAt("/dashboard/").screen).toBe("dashboard");
    expect(screenAt("/track/DK1").screen).toBe("track");
    expect(screenAt("/recharge/launch/DK1").screen).toBe("recharge-launch");
    expect(screenAt("/track/DK1/more").screen).toBe("not-found");
    expect(screenAt("/recharge/nowhere").screen).toBe("not-found");
    expect(screenAt("/nowhere").screen).toBe("not-found");
  });
});
